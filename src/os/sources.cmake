set(SOURCES clock.cc fd.cc files.cc interrupt.cc process.cc spawn.cc)
