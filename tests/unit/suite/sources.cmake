set(SOURCES golden_test.cc workload_test.cc)
