#include "base/assets.h"
#include "base/text.h"
#include "suite/catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace kilter;

namespace {

// "name: role option... [...]" of lists/programs.yaml.
std::map<std::string, std::vector<std::string>> listed_programs() {
  std::map<std::string, std::vector<std::string>> programs;
  for (const std::string_view line : lines(asset("lists/programs.yaml").value_or(""))) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    std::vector<std::string>& options = programs[std::string(line.substr(0, colon))];
    for (const std::string_view word : words(line.substr(colon + 2))) {
      if (word != "...") options.emplace_back(word);
    }
  }
  return programs;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// LKP's, shown in paths, that no suite of ours uses; a run says so. "..." lists have more of them.
constexpr const char* kNotUsed = "nr_threads_by_instance";

}  // namespace

TEST_CASE("every parameter of a suite is an option of its program in lists/programs.yaml") {
  const std::map<std::string, std::vector<std::string>> programs = listed_programs();
  const Result<suite::Catalogue> catalogue = suite::Catalogue::load();
  REQUIRE(catalogue);
  REQUIRE(catalogue->names().size() > 10);
  for (const std::string& name : catalogue->names()) {
    const suite::Suite& suite = **catalogue->get(name);
    CAPTURE(name);
    REQUIRE(programs.contains(suite.program));
    for (const suite::Parameter& parameter : suite.parameters) {
      CAPTURE(parameter.name);
      CHECK((holds(programs.at(suite.program), parameter.name) ||
             holds(programs.at("well-known"), parameter.name)));
    }
  }
}

TEST_CASE("every option of a program in lists/programs.yaml is a parameter of its suite") {
  const std::map<std::string, std::vector<std::string>> programs = listed_programs();
  const Result<suite::Catalogue> catalogue = suite::Catalogue::load();
  REQUIRE(catalogue);
  for (const std::string& name : catalogue->names()) {
    const suite::Suite& suite = **catalogue->get(name);
    CAPTURE(name);
    if (name != suite.program || name == "iperf") continue;  // one program, several suites; an open list
    for (const std::string& option : programs.at(name)) {
      CAPTURE(option);
      CHECK((option == "test" || option == kNotUsed || suite.find_parameter(option) != nullptr));
    }
  }
}
