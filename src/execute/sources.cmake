set(SOURCES describe.cc local_machine.cc microarchitecture.cc oops.cc ready_port.cc recorders.cc reproduce.cc run_log.cc
            set_up.cc sysfs.cc time_file.cc undo.cc workload.cc)
