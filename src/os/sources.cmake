set(SOURCES clock.cc fd.cc files.cc host.cc interrupt.cc process.cc spawn.cc)
