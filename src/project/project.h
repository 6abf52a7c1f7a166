#pragma once

#include "base/result.h"
#include "os/files.h"
#include "project/layout.h"
#include "project/recipe.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// A project: a git repository with a recipe to build it, what to measure, and whom to tell
// (docs/projects.md).
namespace kilter::project {

struct MailRouting {
  std::string from;
  std::vector<std::string> to;
  std::vector<std::string> cc;
  std::string subject_prefix;  // "[tokenizer]", put in front of the subject
  std::string materials;       // where <home>/archive can be read: "https://lab.example.org/kilter"
  std::string archive;         // where the list's mails can be read: "https://lore.kernel.org/oe-lkp"
};

struct Project {
  std::string name;                   // safe as a file name: letters, digits, ". _ + -"
  std::string url;                    // for git; a relative path was made absolute
  std::vector<std::string> branches;  // the watched ones; empty: the repository's HEAD
  Recipe build;
  Layout layout;
  std::map<std::string, std::string> artefacts;  // name -> path below the source tree
  // A suite: the text of the project file with all but the value of `benchmark:` blanked out, so that lines
  // and columns of whoever parses it are those of the file; with "suite: <name>" in front when it has no name
  // of its own. Empty when there is none.
  std::string benchmark;
  std::vector<std::string> jobs;  // absolute paths
  MailRouting mail;
  os::Path file;  // where it was read
};

// `path` names the file in messages ("projects/x.yaml:3:1: ...") and is what relative paths are relative to.
[[nodiscard]] Result<Project> parse_project(std::string_view text, const os::Path& path);
// `name`: a path of a file (it has a slash or ends in .yaml), a directory with a project.yaml, or a name of
// <home>/projects/<name>.yaml or <cwd>/projects/<name>.yaml.
[[nodiscard]] Result<Project> find_project(const os::Path& home, const os::Path& cwd,
                                           const std::string& name);
// The projects of both folders, by name, sorted.
[[nodiscard]] std::vector<std::string> project_names(const os::Path& home, const os::Path& cwd);

}  // namespace kilter::project
