set(SOURCES files_test.cc process_test.cc)
