set(SOURCES describe_test.cc local_machine_test.cc)
