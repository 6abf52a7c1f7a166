#pragma once

#include "base/result.h"
#include "suite/suite.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kilter::suite {

// The suites: those built into the program, overridden or joined by the user's. A file is parsed when it is
// first asked for; not for use by two threads at once.
class Catalogue {
 public:
  // (path, text) of user suites, named by their "suite:" line, else by the file's stem; a later one overrides
  // an earlier one of the same name, and any built-in one.
  [[nodiscard]] static Result<Catalogue> load(
      const std::vector<std::pair<std::string, std::string>>& extra_files = {});

  // The suite of that name. Unknown: an Error with a "did you mean"; broken: one with file:line:column.
  [[nodiscard]] Result<const Suite*> get(std::string_view name) const;
  // The same, nullptr for both.
  [[nodiscard]] const Suite* find(std::string_view name) const;
  // The suite whose program this is ("fio" -> fio-basic); nullptr when there is none.
  [[nodiscard]] const Suite* find_program(std::string_view program) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Entry {
    std::string file;
    std::string text;
    std::unique_ptr<Suite> suite;  // once parsed
  };
  mutable std::map<std::string, Entry, std::less<>> entries_;
  mutable std::map<std::string, const Suite*, std::less<>> programs_;  // answers of find_program
};

}  // namespace kilter::suite
