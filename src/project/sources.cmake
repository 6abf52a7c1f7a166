set(SOURCES project.cc project_yaml.cc recipe.cc git.cc commit.cc repository.cc revision_spec.cc)
