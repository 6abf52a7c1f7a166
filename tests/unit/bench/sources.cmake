set(SOURCES
  cpu_clock_test.cc crew_test.cc csv_test.cc file_copy_test.cc net_protocol_test.cc net_report_test.cc options_test.cc
  registry_test.cc topology_test.cc)
