set(SOURCES campaign.cc collect.cc interleave.cc lab.cc measure.cc planner.cc setup_steps.cc subjects.cc summary.cc)
