set(SOURCES interleave_test.cc setup_steps_test.cc)
