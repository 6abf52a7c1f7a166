#include "job/expand.h"

#include "base/text.h"
#include "job/defaults.h"
#include "job/emit.h"
#include "job/key_check.h"
#include "job/map_params.h"
#include "job/matrix.h"
#include "job/merge.h"
#include "job/null_words.h"
#include "job/overrides.h"
#include "job/parameters.h"
#include "job/source.h"
#include "job/typo.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace kilter::job {
namespace {

using model::Node;
using model::UnitJob;

std::string stem_of(std::string_view path) {
  std::string_view stem = path.substr(path.find_last_of('/') + 1);
  if (stem.ends_with(".yaml")) stem.remove_suffix(5);
  return std::string(stem);
}

// "jobs/..." of an absolute path, so that a job file says the same wherever it lies.
std::string origin_of(const std::string& path) {
  const std::size_t jobs = path.rfind("/jobs/");
  if (!path.starts_with('/')) return path.starts_with("./") ? path.substr(2) : path;
  return jobs == std::string::npos ? path.substr(path.rfind('/') + 1) : path.substr(jobs + 1);
}

// hosts/ and include/ beside the jobs/ directory of a job given from elsewhere ("/lab/jobs/x.yaml") come
// first.
FileReader beside(const std::string& path, const FileReader& read) {
  const std::size_t jobs = path.rfind("/jobs/");
  if (jobs == std::string::npos) return read;
  return [root = path.substr(0, jobs + 1), read](const std::string& name) {
    const bool elsewhere = name.starts_with('/') || name.starts_with(root);
    std::optional<std::string> text = elsewhere ? std::nullopt : read(root + name);
    return text ? text : read(name);
  };
}

// Marks of a unit job tell line and column; the file is the job's, told once. What another file brought has
// no place then.
void clear_files(Node& node, const model::FileName& file) {
  if (node.mark.file == file)
    node.mark.file = {};
  else if (node.mark.line > 0)  // an override has no line and keeps its name
    node.mark = {};
  for (Node& item : node.items()) clear_files(item, file);
  for (Node::Entry& entry : node.entries()) clear_files(entry.second, file);
}

std::string first_of(std::initializer_list<std::string> texts) {
  const auto found = std::ranges::find_if(texts, [](const std::string& text) { return !text.empty(); });
  return found == texts.end() ? std::string() : *found;
}

// All that is said of a unit but its name.
UnitJob describe(Node job, const std::string& origin) {
  const Vocabulary vocabulary(job);
  const ProgramUse* test = vocabulary.test();
  UnitJob unit;
  unit.text = emit_job(job);
  unit.origin = origin;
  const std::string program = test == nullptr ? std::string() : test->name;
  unit.suite = first_of({job.get("suite"), job.get("testcase"), program, stem_of(origin)});
  unit.testcase = first_of({job.get("testcase"), unit.suite});
  unit.category = job.get("category");
  unit.program = first_of({program, unit.suite});
  const std::vector<Parameter> parameters = parameters_of(job, vocabulary);
  for (const Parameter& parameter : parameters) unit.parameters.emplace_back(parameter.key, parameter.text);
  unit.path_params = path_params(parameters);
  unit.axes = axes_of(job, parameters);
  unit.axes["testcase"] = unit.testcase;
  unit.mapped = map_parameters(unit.parameters, machine_numbers(job));
  for (const ProgramUse& use : vocabulary.programs()) unit.programs.push_back(use.name);
  for (const ProgramUse& use : vocabulary.monitors()) unit.monitors.emplace_back(use.name, *use.value);
  std::erase_if(job.entries(), [](const Node::Entry& entry) { return is_comment_key(entry.first); });
  unit.body = std::move(job);  // last: the vocabulary refers to it
  return unit;
}

class Expansion {
 public:
  Expansion(const std::string& path, const FileReader& read, const ExpandOptions& options)
      : path_(path),
        origin_(origin_of(path)),
        read_(beside(path, read)),
        options_(options),
        defaults_(read_) {}

  Result<std::vector<UnitJob>> run() {
    ASSIGN_OR_RETURN(overrides_, parse_overrides(options_.overrides));
    ASSIGN_OR_RETURN(const std::vector<Node> documents, load());
    ASSIGN_OR_RETURN(const Node base, base_of(documents.front()));
    for (std::size_t i = 0; i < documents.size(); ++i) TRY(prepare(base, documents, i));
    TRY(check_overrides(documents));
    TRY(check_size());
    for (const Prepared& prepared : prepared_) TRY(build(prepared));
    if (units_.empty()) return nothing_left();
    return kept_units();
  }

 private:
  // A document with all that does not depend on the point of its matrix; `job` is what `vocabulary` refers
  // to.
  struct Prepared {
    Node job;
    std::optional<Vocabulary> vocabulary;
    bool expressions = false;
  };

  Result<std::vector<Node>> load() {
    Node context = Node::map();
    add_place(context);
    TRY(defaults_.add_host(context, options_.testbox));
    place_ = context;
    merge(context, overrides_, Priority::overrides);
    const Scope scope = scope_of(context);
    SourceLoader loader(read_, scope);
    ASSIGN_OR_RETURN(std::vector<Node> documents,
                     loader.load(path_, {.erb = true, .compatible = options_.compatible}));
    // The sections of a robot's mail may repeat keys.
    if (!options_.compatible)
      for (const std::string& warning : loader.warnings()) warn(warning);
    if (documents.empty() ||
        std::ranges::all_of(documents, [](const Node& d) { return d.entries().empty(); }))
      return usage_error(fmt::format("reading '{}': the job is empty", path_),
                         "a job names at least a suite");
    return documents;
  }

  void add_place(Node& job) const {
    if (!options_.testbox.empty()) job.set("testbox", Node::scalar(options_.testbox));
    job.set("arch", Node::scalar(options_.arch));
    if (!options_.testbox.empty()) job.set("tbox_group", Node::scalar(tbox_group(options_.testbox)));
  }

  static void add_roles(Node& job) {
    if (!job.get("cluster").empty() || (job.find("cluster") != nullptr && job.find("cluster")->is_list()))
      job.set("node_roles", Node::scalar("server client"));
  }

  // The first document with place, host and include files: what every other document is laid over.
  Result<Node> base_of(const Node& first) {
    Node job = Node::map();
    const bool titled = !first.entries().empty() && first.entries().front().first.starts_with("#! ");
    if (!titled) job.set("#! " + origin_, Node());
    merge(job, first, Priority::overrides);
    (void)apply_overrides(job, overrides_);  // new keys follow at the end of each document's job
    if (job.find("job_origin") == nullptr) job.set("job_origin", Node::scalar(origin_));
    add_place(job);
    add_roles(job);
    TRY(defaults_.add_host(job, options_.testbox));
    TRY(add_includes(job, true));
    return job;
  }

  Status add_includes(Node& job, bool settled_only) {
    return options_.defaults ? defaults_.add_includes(job, settled_only) : Status();
  }

  Status prepare(const Node& base, const std::vector<Node>& documents, std::size_t index) {
    Prepared& prepared = prepared_.emplace_back();
    Node& job = prepared.job;
    job = base;
    if (index > 0) merge(job, documents[index], Priority::overrides);
    add_roles(job);
    append_overrides(job, apply_overrides(job, overrides_));
    keep_null_words(job);
    TRY(add_includes(job, true));
    prepared.vocabulary.emplace(job);
    prepared.expressions = has_expressions(job);
    ASSIGN_OR_RETURN(const std::vector<std::string> warnings,
                     check_keys(documents[index], job, *prepared.vocabulary));
    for (const std::string& warning : warnings) warn(warning);
    TRY(check_category(job));
    // The first document of several is only their common part when it names nothing to run.
    if (index == 0 && documents.size() > 1 && !prepared.vocabulary->has_workload()) prepared_.pop_back();
    return {};
  }

  Status check_overrides(std::vector<Node> held) {
    if (overrides_.entries().empty()) return {};
    held.push_back(place_);
    const std::string text = SourceLoader::read_file(read_, path_).value_or("");
    const Node fresh = new_overrides(overrides_, text, held);
    for (const Prepared& prepared : prepared_) {
      ASSIGN_OR_RETURN(const std::vector<std::string> warnings,
                       check_override_keys(fresh, *prepared.vocabulary));
      for (const std::string& warning : warnings) warn(warning);
    }
    return {};
  }

  void warn(const std::string& warning) {
    if (warned_.insert(warning).second) warnings_.push_back(warning);
  }

  // A category is the name of a set of monitors in include/category/: the built-in ones, or the lab's own.
  Status check_category(const Node& job) {
    const Node* category = job.find("category");
    if (category == nullptr || !category->is_scalar() || category->text().contains("{{")) return {};
    const std::string& name = category->text();
    const std::string folder = "include/category/";
    const auto known = [&](const std::string& file) {
      return !file.contains('/') && SourceLoader::read_file(read_, folder + file).has_value();
    };
    if (name.empty() || known(name) || known("OTHERS")) return {};
    const std::vector<std::string> names = {"benchmark", "functional", "noise-benchmark", "other", "power"};
    const std::string text = fmt::format("{}: unknown category '{}'", category->mark.text(), printable(name));
    if (const std::optional<std::string> near = slip_of(name, names))
      return usage_error(text, fmt::format("did you mean '{}'?", *near));
    warn(text + ", no monitors come with it; there are " + join(names, ", "));
    return {};
  }

  Status check_size() const {
    std::size_t total = 0;
    for (const Prepared& prepared : prepared_) {
      const std::size_t size = matrix_size(prepared.job, *prepared.vocabulary);
      if (size == 0) return empty_matrix(prepared);
      total = size > options_.limit ? options_.limit + 1 : total + size;
      if (total > options_.limit) return too_large(prepared);
    }
    return {};
  }

  Status empty_matrix(const Prepared& prepared) const {
    for (const Dimension& dimension : dimensions(prepared.job, *prepared.vocabulary))
      if (dimension.size == 0)
        return usage_error(fmt::format("{}: '{}' is an empty list", dimension.mark.text(), dimension.key),
                           "give it a value or take the key out");
    return usage_error(fmt::format("expanding '{}': the matrix is empty", path_));
  }

  Status too_large(const Prepared& prepared) const {
    std::string product;
    for (const Dimension& dimension : dimensions(prepared.job, *prepared.vocabulary))
      product +=
          fmt::format("{}{} ({})", product.empty() ? "" : " x ", printable(dimension.key), dimension.size);
    return usage_error(
        fmt::format("expanding '{}': more than {} unit jobs: {}", path_, options_.limit, product),
        "split the job, or fix some keys with -s 'KEY: VALUE'");
  }

  Status build(const Prepared& prepared) {
    const std::vector<Dimension> dims = dimensions(prepared.job, *prepared.vocabulary);
    const bool kconfig_varies =
        std::ranges::any_of(dims, [](const Dimension& d) { return d.key == "kconfig"; });
    Node working = prepared.job;
    if (!prepared.expressions) clear_files(working, path_);
    return expand_matrix(working, *prepared.vocabulary, [&](const Node& point) -> Status {
      Node job = point;
      if (prepared.expressions) {
        ASSIGN_OR_RETURN(std::optional<Nil> nil, substitute_expressions(job));
        if (nil) {
          last_nil_ = std::move(nil);
          return {};
        }
      }
      TRY(add_includes(job, false));
      const std::string origin = job.get("job_origin", origin_);
      UnitJob unit = describe(std::move(job), origin);
      unit.file = path_;
      unit.name = unit_name(path_, unit.path_params, unit.body, kconfig_varies);
      units_.push_back(std::move(unit));
      return {};
    });
  }

  tl::unexpected<Error> nothing_left() const {
    const std::string place = last_nil_ ? last_nil_->mark.text() + ": " : "";
    const std::string why = last_nil_ ? fmt::format(": '{}' is nil", printable(last_nil_->text)) : "";
    return usage_error(fmt::format("{}expanding '{}': no unit job is left{}", place, path_, why),
                       "an expression that is nil drops its unit job; does the job have the keys it names?");
  }

  std::vector<UnitJob> kept_units() {
    std::unordered_map<std::string, std::size_t> last;
    for (std::size_t i = 0; i < units_.size(); ++i) last[units_[i].name] = i;
    if (last.size() != units_.size())
      warnings_.push_back(fmt::format("{}: {} unit jobs have the name of a later one and are left out", path_,
                                      units_.size() - last.size()));
    std::vector<UnitJob> kept;
    kept.reserve(last.size());
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (last[units_[i].name] != i) continue;
      kept.push_back(std::move(units_[i]));
    }
    if (!kept.empty()) kept.front().warnings = warnings_;
    return kept;
  }

  const std::string& path_;
  std::string origin_;
  FileReader read_;
  const ExpandOptions& options_;
  Defaults defaults_;
  Node overrides_;
  Node place_;  // this machine's keys
  std::deque<Prepared> prepared_;
  std::vector<UnitJob> units_;
  std::optional<Nil> last_nil_;
  std::vector<std::string> warnings_;
  std::unordered_set<std::string> warned_;  // those, for look-ups
};

// A unit job of another machine runs with that one's numbers.
std::optional<std::string> foreign(const Node& job, const std::string& path, const ExpandOptions& options) {
  const std::string box = job.get("testbox");
  if (box.empty() || options.testbox.empty() || tbox_group(box) == tbox_group(options.testbox))
    return std::nullopt;
  return fmt::format(
      "{}: a unit job of {}, run with that machine's numbers; for this one: kilter split-job "
      "--compatible {}",
      path, printable(box), shell_quote(path));
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<std::vector<UnitJob>> expand(const std::string& job_path, const FileReader& read,
                                    const ExpandOptions& options) {
  return Expansion(job_path, read, options).run();
}

Result<UnitJob> load_unit_job(const std::string& path, const FileReader& read, const ExpandOptions& options) {
  ASSIGN_OR_RETURN(const Node overrides, parse_overrides(options.overrides));
  const Scope nothing;
  SourceLoader loader(read, nothing);
  ASSIGN_OR_RETURN(std::vector<Node> documents,
                   loader.load(path, {.erb = false, .compatible = options.compatible}));
  if (documents.empty() || documents.front().find("arch") == nullptr)
    return usage_error(fmt::format("reading '{}': not a unit job, it has no 'arch'", path),
                       fmt::format("expand it first: kilter split-job {}", path));
  Node& job = documents.front();
  std::vector<std::string> warnings;
  {
    const Vocabulary vocabulary(job);
    ASSIGN_OR_RETURN(warnings, check_override_keys(new_overrides(overrides, "", documents), vocabulary));
  }
  append_overrides(job, apply_overrides(job, overrides));
  if (std::optional<std::string> warning = foreign(job, path, options))
    warnings.push_back(std::move(*warning));
  keep_null_words(job);
  const std::string origin = job.get("job_origin", origin_of(path));
  UnitJob unit = describe(std::move(job), origin);
  unit.file = path;
  unit.name = stem_of(path);
  unit.warnings = std::move(warnings);
  return unit;
}

Result<std::vector<UnitJob>> load_jobs(const std::string& path, const FileReader& read,
                                       const ExpandOptions& options) {
  const std::optional<std::string> text = SourceLoader::read_file(read, path);
  const bool atomic =
      text && !options.compatible && (text->starts_with("arch:") || text->contains("\narch:"));
  if (!atomic) return expand(path, read, options);
  ASSIGN_OR_RETURN(UnitJob unit, load_unit_job(path, read, options));
  std::vector<UnitJob> units;
  units.push_back(std::move(unit));
  return units;
}

std::string tbox_group(std::string_view host) {
  const std::size_t dash = host.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || !is_digits(host.substr(dash + 1)))
    return std::string(host);
  std::string group(host.substr(0, dash));
  for (std::size_t start = group.find('-'); start != std::string::npos; start = group.find('-', start + 1)) {
    const std::size_t end = group.find('-', start + 1);
    if (end == std::string::npos) break;
    if (is_digits(std::string_view(group).substr(start + 1, end - start - 1)))
      return group.erase(start, end - start);
  }
  return group;
}

}  // namespace kilter::job
