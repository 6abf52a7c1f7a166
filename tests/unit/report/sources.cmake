set(SOURCES
  ab_text_test.cc
  golden_compare_test.cc
  mail_test.cc
  plot_test.cc
  rfc5322_test.cc
  table_test.cc
  ../../support/golden_matrix.cc)
