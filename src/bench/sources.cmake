set(SOURCES
  aslr.cc cmd_will_it_scale.cc command.cc cpu_clock.cc gate.cc options.cc topology.cc
  scale/area.cc scale/csv.cc scale/files.cc scale/measure.cc scale/registry.cc scale/runner.cc scale/sampler.cc)
set(SCALE_TESTS
  brk context_switch dup eventfd fallocate futex getppid lock lseek malloc mmap open page_fault pipe poll
  posix_semaphore pread pthread_mutex pwrite read readseek sched_yield signal tlb_flush unix unlink write writeseek)
list(TRANSFORM SCALE_TESTS REPLACE "(.+)" "scale/tests/\\1.cc")
list(APPEND SOURCES ${SCALE_TESTS})
# The measuring loops are the product: optimised in every build type.
list(TRANSFORM SCALE_TESTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/bench/)
set_source_files_properties(${SCALE_TESTS} PROPERTIES COMPILE_OPTIONS -O2)
