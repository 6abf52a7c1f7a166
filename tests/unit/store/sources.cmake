set(SOURCES lkp_json_test.cc reindex_test.cc results_test.cc store_test.cc value_blob_test.cc)
