set(SOURCES describe_test.cc files_test.cc hygiene_test.cc local_machine_test.cc plan_test.cc recorders_test.cc undo_test.cc)
