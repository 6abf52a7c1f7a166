set(SOURCES
  clean.cc
  table.cc)
