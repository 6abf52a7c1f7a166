set(SOURCES
  golden_compare_test.cc
  table_test.cc
  ../../support/golden_matrix.cc)
