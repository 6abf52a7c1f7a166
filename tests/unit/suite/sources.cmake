set(SOURCES catalogue_test.cc expression_test.cc golden_test.cc parse_test.cc programs_list_test.cc workload_test.cc)
