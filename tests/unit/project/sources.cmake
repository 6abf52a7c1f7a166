set(SOURCES layout_test.cc first_parent_log_test.cc project_test.cc repository_test.cc build_record_test.cc build_test.cc example_test.cc git_fixture.cc)
