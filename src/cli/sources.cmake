set(SOURCES
  cmd_ab.cc cmd_history.cc terminal.cc cmd_bisect.cc cmd_compare.cc cmd_doctor.cc cmd_import.cc cmd_install.cc cmd_machine.cc cmd_reindex.cc cmd_report.cc cmd_result.cc
  cmd_run.cc cmd_sample.cc cmd_split_job.cc cmd_stat.cc cmd_texts.cc
  commands.cc comparison_flags.cc completion.cc flags.cc help.cc job_loading.cc job_words.cc live_view.cc progress.cc quantity_flags.cc run.cc world.cc)
