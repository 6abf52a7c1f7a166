set(SOURCES
  archive_test.cc
  binding_test.cc
  comparison_test.cc
  interleave_test.cc
  plan_check_test.cc
  setup_steps_test.cc)
