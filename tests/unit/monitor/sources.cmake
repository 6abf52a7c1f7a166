set(SOURCES parse_test.cc sampler_test.cc)
