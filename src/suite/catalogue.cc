#include "suite/catalogue.h"

#include "base/assets.h"
#include "base/suggest.h"
#include "base/text.h"
#include "suite/suite_reader.h"

namespace kilter::suite {
namespace {

constexpr std::string_view kSuffix = ".yaml";

std::string stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  if (path.ends_with(kSuffix)) path.remove_suffix(kSuffix.size());
  return std::string(path);
}

// True when the text has the line "program: <program>"; cheaper than parsing every suite.
bool names_program(std::string_view text, std::string_view program) {
  const std::string line = "\nprogram: " + std::string(program) + "\n";
  return text.contains(line);
}

// A suite of a user's file has the name its text says ("suite: x"), which need not be that of the file; found
// without parsing, so that a broken suite is complained of by its name when it is asked for.
std::string own_name(std::string_view text, std::string_view path) {
  constexpr std::string_view kKey = "suite:";
  for (std::string_view line : lines(text)) {
    line = trim(line);
    if (line.starts_with('{')) line = trim(line.substr(1));
    if (!line.starts_with(kKey)) continue;
    line = trim(line.substr(kKey.size()));
    return std::string(line.substr(0, line.find_first_of(" ,}")));
  }
  return stem(path);
}

}  // namespace

Result<Catalogue> Catalogue::load(const std::vector<std::pair<std::string, std::string>>& extra_files) {
  Catalogue catalogue;
  for (const std::string_view path : assets_below("suites/"))
    if (path.ends_with(kSuffix))
      catalogue.entries_[stem(path)] = {std::string(path), std::string(*asset(path)), nullptr};
  for (const auto& [path, text] : extra_files) {
    const std::string name = own_name(text, path);
    if (name.empty()) return usage_error("reading the suite file '" + printable(path) + "': it has no name");
    catalogue.entries_[name] = {path, text, nullptr};
  }
  return catalogue;
}

Result<const Suite*> Catalogue::get(std::string_view name) const {
  const auto it = entries_.find(name);
  if (it == entries_.end()) {
    return usage_error("looking up the suite '" + printable(name) + "': there is no such suite",
                       "suites: " + join(names(), ", ") + or_rather(name, names()));
  }
  Entry& entry = it->second;
  if (!entry.suite) {
    ASSIGN_OR_RETURN(Suite suite, read_suite(entry.text, entry.file, it->first));
    entry.suite = std::make_unique<Suite>(std::move(suite));
  }
  return entry.suite.get();
}

const Suite* Catalogue::find(std::string_view name) const {
  if (!entries_.contains(name)) return nullptr;
  return get(name).value_or(nullptr);
}

const Suite* Catalogue::find_program(std::string_view program) const {
  const auto known = programs_.find(program);
  if (known != programs_.end()) return known->second;
  const Suite* suite = find(program);
  for (auto it = entries_.begin(); suite == nullptr && it != entries_.end(); ++it)
    if (names_program(it->second.text, program)) suite = find(it->first);
  programs_.emplace(program, suite);
  return suite;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

}  // namespace kilter::suite
