#pragma once

#include "model/node.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// What the keys of a job are: programs and their options. The facts stand in lists/programs.yaml.
namespace kilter::job {

enum class Role { test, daemon, setup, monitor };

struct Program {
  Role role = Role::test;
  std::vector<std::string_view> options;
  bool complete = true;  // false ("..." in the list): the well-known options count as well
};

// An option of a program that has a choice called `null`.
struct NullWord {
  std::string_view program;
  std::string_view option;
};

class Catalogue {
 public:
  static const Catalogue& builtin();
  // One "name: role option..." a line; lines that are not of this form are left out.
  explicit Catalogue(std::string_view text);

  [[nodiscard]] const Program* find(std::string_view name) const;
  // Names that are options of any program nobody knows.
  [[nodiscard]] const std::vector<std::string_view>& well_known() const { return well_known_; }
  [[nodiscard]] const std::vector<NullWord>& null_words() const { return null_words_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // sorted

 private:
  std::unordered_map<std::string_view, Program> programs_;
  std::vector<std::string> names_;
  std::vector<std::string_view> well_known_;
  std::vector<NullWord> null_words_;
};

// A key of the job that is a program.
struct ProgramUse {
  std::string name;
  Role role = Role::test;
  const model::Node* value = nullptr;  // owned by the job
};

// What a job's keys mean. Programs stand at top level, in shell blocks (`if role server:`) and in groups; one
// that the catalogue does not know is recognised by the name of the suite or test case, by having no value,
// by standing in a block, or, when no test was found otherwise, by being a map.
class Vocabulary {
 public:
  explicit Vocabulary(const model::Node& job);

  // Expandable keys (LKP's rule): programs but no monitors, declared options, and kconfig, commit, rootfs ...
  [[nodiscard]] bool is_program(std::string_view key) const { return names_.contains(key); }
  [[nodiscard]] bool is_option(std::string_view key) const { return options_.contains(key); }
  [[nodiscard]] bool is_monitor(std::string_view key) const;
  // Taken for a program only by its form, without the catalogue or the names of suite and test case.
  [[nodiscard]] bool is_unknown_program(std::string_view key) const;
  [[nodiscard]] const std::unordered_set<std::string_view>& options() const { return options_; }
  [[nodiscard]] const std::vector<ProgramUse>& programs() const { return programs_; }
  [[nodiscard]] const std::vector<ProgramUse>& monitors() const { return monitors_; }
  // The first test that bears the test case's or suite's name, else the first test; nullptr without any.
  [[nodiscard]] const ProgramUse* test() const;
  // A test or a daemon: without one the job does nothing.
  [[nodiscard]] bool has_workload() const;

 private:
  void scan(const model::Node& map, bool in_block);
  void scan_entry(const model::Node::Entry& entry, bool in_block);
  void add_well_known();
  void use(std::string_view name, const Program* known, const model::Node& value);

  std::string suite_;
  std::string testcase_;
  std::vector<ProgramUse> programs_;
  std::vector<ProgramUse> monitors_;
  std::vector<const model::Node::Entry*> candidates_;
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string_view> options_;
};

// kconfig commit rootfs ltp_commit ...: expandable, named apart from the parameters.
[[nodiscard]] const std::vector<std::string_view>& expand_dimensions();
// Keys that say what a job is, never a program: suite, testcase, category, arch ...
[[nodiscard]] bool is_structural(std::string_view key);
[[nodiscard]] std::vector<std::string_view> structural_keys();

}  // namespace kilter::job
