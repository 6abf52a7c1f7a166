set(SOURCES machines_test.cc parse_test.cc sampler_test.cc)
