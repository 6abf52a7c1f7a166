set(SOURCES affinity_test.cc containment_test.cc debugfs_test.cc files_test.cc journal_file_test.cc kernel_log_test.cc lazy_library_test.cc process_test.cc timed_run_test.cc)
