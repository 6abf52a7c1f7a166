set(SOURCES campaign.cc collect.cc doctor.cc interleave.cc lab.cc measure.cc planner.cc setup_steps.cc subjects.cc summary.cc)
