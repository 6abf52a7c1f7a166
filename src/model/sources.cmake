set(SOURCES axes.cc json.cc machine.cc node.cc number.cc plan.cc run.cc series.cc)
