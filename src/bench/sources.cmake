set(SOURCES
  aslr.cc cmd_fsbuffer.cc cmd_net.cc cmd_sched.cc cmd_will_it_scale.cc command.cc cpu_clock.cc crew.cc gate.cc
  options.cc stop_signals.cc timer.cc topology.cc
  net/client.cc net/kind.cc net/protocol.cc net/report.cc net/server.cc net/sockets.cc
  scale/area.cc scale/csv.cc scale/files.cc scale/measure.cc scale/registry.cc scale/runner.cc scale/sampler.cc)
set(SCALE_TESTS
  brk context_switch dup eventfd fallocate futex getppid lock lseek malloc mmap open page_fault pipe poll
  posix_semaphore pread pthread_mutex pwrite read readseek sched_yield signal tlb_flush unix unlink write writeseek)
list(TRANSFORM SCALE_TESTS REPLACE "(.+)" "scale/tests/\\1.cc")
set(LOOPS ${SCALE_TESTS} file_copy.cc messaging.cc ping_pong.cc net/session.cc net/traffic.cc)
list(APPEND SOURCES ${LOOPS})
# The measuring loops are the product: optimised in every build type.
list(TRANSFORM LOOPS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/bench/)
set_source_files_properties(${LOOPS} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
