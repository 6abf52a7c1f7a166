#pragma once

#include "model/project.h"
#include "project/repository.h"

#include <string>

// The sources of a revision: a tree of git's, with the patches in it, and its files in a directory.
namespace kilter::project {

// The sha of the tree after the patches: equal trees are equal sources, however they came about. A patch that
// does not apply is a usage error that names the patch, the file and the line of the hunk. `scratch` is a
// directory for git's index.
[[nodiscard]] Result<std::string> source_tree(const Repository& repository, const model::Revision& revision,
                                              const os::Path& scratch);
// Writes the files of `tree` into the empty directory `target`; there is no .git in it.
[[nodiscard]] Status export_tree(const Git& git, const std::string& tree, const os::Path& target,
                                 const os::Path& scratch);

}  // namespace kilter::project
