set(SOURCES cpu_list_test.cc quantity_test.cc text_test.cc utf8_test.cc)
