set(SOURCES
  compare_test.cc
  direction_test.cc
  fingerprint_test.cc
  key_lists_test.cc
  lkp_rule_test.cc
  pattern_test.cc)
