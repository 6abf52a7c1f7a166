set(SOURCES
  comparison_test.cc
  interleave_test.cc
  setup_steps_test.cc)
