set(SOURCES
  ab_campaign_test.cc
  ab_request_test.cc
  archive_test.cc
  binding_test.cc bisect_evidence_test.cc bisect_text_test.cc bisect_view_test.cc
  comparison_test.cc
  config_test.cc
  evidence_test.cc
  commit_line_test.cc
  history_scan_test.cc
  history_test.cc
  interleave_test.cc
  kernel_test.cc
  kernels_compared_test.cc
  lkp_axes_test.cc
  plan_check_test.cc
  presence_test.cc
  setup_steps_test.cc)
