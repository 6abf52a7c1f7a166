set(SOURCES quantity_test.cc text_test.cc)
