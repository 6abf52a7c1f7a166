set(SOURCES golden_jobs_test.cc)
