set(SOURCES
  blocks.cc defaults.cc emit.cc expand.cc expression.cc filters.cc key_check.cc map_params.cc matrix.cc merge.cc need_kernel.cc null_words.cc overrides.cc
  parameters.cc programs.cc source.cc template.cc typo.cc value.cc yaml_node.cc)
