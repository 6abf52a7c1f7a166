set(SOURCES assets.cc cpu_list.cc fmt_library.cc hash.cc log.cc quantity.cc result.cc text.cc utf8.cc)
