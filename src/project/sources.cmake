set(SOURCES project.cc first_parent_log.cc project_yaml.cc recipe.cc layout.cc git.cc commit.cc repository.cc revision_spec.cc source_tree.cc sandbox.cc build_cache.cc slot.cc
    construction.cc build.cc build_record.cc)
