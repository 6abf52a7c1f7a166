set(SOURCES ab.cc history.cc axes.cc json.cc machine.cc node.cc number.cc plan.cc report_types.cc run.cc run_table.cc series.cc unit_job.cc verdict.cc)
