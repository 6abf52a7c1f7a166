set(SOURCES campaign_test.cc import_test.cc robust_test.cc lkp_json_test.cc reindex_test.cc results_test.cc series_table_test.cc
    store_test.cc value_blob_test.cc)
