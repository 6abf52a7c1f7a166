set(SOURCES cpu_clock_test.cc csv_test.cc options_test.cc registry_test.cc topology_test.cc)
