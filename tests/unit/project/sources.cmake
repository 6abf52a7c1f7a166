set(SOURCES project_test.cc repository_test.cc git_fixture.cc)
