set(SOURCES interleave.cc setup_steps.cc)
