set(SOURCES expand_test.cc expression_test.cc golden_jobs_test.cc map_params_test.cc text_test.cc)
