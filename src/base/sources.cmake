set(SOURCES assets.cc hash.cc log.cc quantity.cc result.cc text.cc)
