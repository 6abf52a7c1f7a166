set(SOURCES
  assets.cc civil_time.cc cpu_list.cc fmt_library.cc hash.cc log.cc quantity.cc regex_fault.cc result.cc text.cc utf8.cc
  version_line.cc)
set_source_files_properties(base/fmt_library.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
