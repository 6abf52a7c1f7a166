#include "base/quantity.h"
#include "base/suggest.h"
#include "base/text.h"
#include "project/project.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <span>

namespace kilter::project {
namespace {

struct Source {
  std::string_view text;
  std::string path;
  os::Path folder;  // absolute
};

// One key of a map of the project file.
template <class Target>
struct Field {
  const char* name;
  Status (*read)(const Source& source, const YAML::Node& value, Target& target);
};

tl::unexpected<Error> wrong(const Source& source, const YAML::Mark& mark, const std::string& what,
                            std::string hint = {}) {
  return usage_error(fmt::format("{}:{}:{}: {}", source.path, std::max(mark.line, 0) + 1,
                                 std::max(mark.column, 0) + 1, what),
                     std::move(hint));
}

const char* kind_name(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return node.IsScalar() ? "a word" : "nothing";
}

Result<std::string> read_scalar(const Source& source, const YAML::Node& node, const std::string& what) {
  if (!node.IsScalar())
    return wrong(source, node.Mark(), fmt::format("{} must be a word, not {}", what, kind_name(node)));
  std::string text = node.Scalar();
  if (text.contains('\0'))
    return wrong(source, node.Mark(), fmt::format("{} must not hold a zero byte", what));
  return text;
}

// A list of words; one word alone is a list of one.
Result<std::vector<std::string>> read_words(const Source& source, const YAML::Node& node,
                                            const std::string& what) {
  std::vector<std::string> words;
  if (node.IsScalar()) {
    ASSIGN_OR_RETURN(std::string word, read_scalar(source, node, what));
    return std::vector<std::string>{std::move(word)};
  }
  if (!node.IsSequence())
    return wrong(source, node.Mark(),
                 fmt::format("{} must be a list of words, not {}", what, kind_name(node)));
  for (const YAML::Node& item : node) {
    ASSIGN_OR_RETURN(std::string word, read_scalar(source, item, "each item of " + what));
    words.push_back(std::move(word));
  }
  return words;
}

Result<std::map<std::string, std::string>> read_map(const Source& source, const YAML::Node& node,
                                                    const std::string& what) {
  if (!node.IsMap())
    return wrong(source, node.Mark(), fmt::format("{} must be a map, not {}", what, kind_name(node)));
  std::map<std::string, std::string> map;
  for (const auto& entry : node) {
    ASSIGN_OR_RETURN(std::string key, read_scalar(source, entry.first, "a key of " + what));
    ASSIGN_OR_RETURN(std::string value, read_scalar(source, entry.second, fmt::format("{} '{}'", what, key)));
    map[std::move(key)] = std::move(value);
  }
  return map;
}

template <class Target>
Status read_fields(const Source& source, const YAML::Node& node, std::span<const Field<Target>> fields,
                   const std::string& what, Target& target) {
  if (!node.IsMap())
    return wrong(source, node.Mark(), fmt::format("{} must be a map, not {}", what, kind_name(node)));
  std::vector<std::string> known;
  for (const Field<Target>& field : fields) known.emplace_back(field.name);
  std::vector<std::string> seen;
  for (const auto& entry : node) {
    ASSIGN_OR_RETURN(const std::string key, read_scalar(source, entry.first, "a key of " + what));
    const auto field = std::ranges::find(known, key);
    if (field == known.end())
      return wrong(source, entry.first.Mark(), fmt::format("unknown key '{}' of {}", printable(key), what),
                   fmt::format("the keys are {}{}", join(known, ", "), or_rather(key, known)));
    if (std::ranges::find(seen, key) != seen.end())
      return wrong(source, entry.first.Mark(), fmt::format("key '{}' is there twice", key));
    seen.push_back(key);
    TRY(fields[static_cast<std::size_t>(field - known.begin())].read(source, entry.second, target));
  }
  return {};
}

bool is_safe_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || name.size() > 64 || !plain(name[0])) return false;
  return std::ranges::all_of(name, [&](char c) { return plain(c) || c == '.' || c == '-' || c == '+'; });
}

bool stays_below(const os::Path& path) {
  if (path.empty() || path.is_absolute()) return false;
  const os::Path normal = path.lexically_normal();
  return *normal.begin() != ".." && normal != ".";
}

// A URL has a scheme or is scp's host:path; all else is a path.
bool is_remote(std::string_view url) {
  if (url.contains("://")) return true;
  const std::size_t colon = url.find(':');
  return colon != std::string_view::npos && url.find('/') > colon;
}

Status read_name(const Source& source, const YAML::Node& value, Project& project) {
  ASSIGN_OR_RETURN(project.name, read_scalar(source, value, "'name'"));
  if (is_safe_name(project.name)) return {};
  return wrong(source, value.Mark(), fmt::format("'{}' cannot be a project's name", printable(project.name)),
               "letters, digits, '.', '_', '+' and '-', at most 64, not a sign first");
}

Status read_url(const Source& source, const YAML::Node& value, Project& project) {
  ASSIGN_OR_RETURN(const std::string url, read_scalar(source, value, "'url'"));
  if (url.empty() || url.starts_with('-'))
    return wrong(source, value.Mark(), fmt::format("'{}' cannot be a url", printable(url)),
                 "https://..., ssh, file:///..., or the path of a repository");
  project.url = is_remote(url) ? url : (source.folder / url).lexically_normal().string();
  return {};
}

Status read_branches(const Source& source, const YAML::Node& value, Project& project) {
  ASSIGN_OR_RETURN(project.branches, read_words(source, value, "'branches'"));
  return {};
}

Status read_template(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.template_name, read_scalar(source, value, "'template'"));
  const std::vector<std::string> names = template_names();
  if (std::ranges::find(names, recipe.template_name) != names.end()) return {};
  return wrong(source, value.Mark(), fmt::format("unknown template '{}'", printable(recipe.template_name)),
               fmt::format("one of {}{}", join(names, ", "), or_rather(recipe.template_name, names)));
}

Status read_args(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.args, read_words(source, value, "'args'"));
  return {};
}

Status read_targets(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.targets, read_words(source, value, "'targets'"));
  return {};
}

Status read_steps(const Source& source, const YAML::Node& value, Recipe& recipe) {
  if (!value.IsSequence())
    return wrong(source, value.Mark(), "'steps' must be a list of commands",
                 "each command is a list of words: [make, -j, \"{jobs}\"]");
  for (const YAML::Node& item : value) {
    if (!item.IsSequence() || item.size() == 0)
      return wrong(source, item.Mark(), "a step must be a list of words",
                   "[./configure, --prefix=x]; there is no shell between");
    ASSIGN_OR_RETURN(Argv step, read_words(source, item, "a step"));
    if (step[0].empty()) return wrong(source, item.Mark(), "a step's program is empty");
    recipe.steps.push_back(std::move(step));
  }
  return {};
}

Status read_env(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.env, read_map(source, value, "'env'"));
  for (const auto& [name, text] : recipe.env)
    if (name.empty() || name.contains('='))
      return wrong(source, value.Mark(), fmt::format("'{}' cannot name a variable", printable(name)));
  return {};
}

Status read_timeout(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(const std::string text, read_scalar(source, value, "'timeout'"));
  const std::optional<double> seconds = parse_duration(text);
  if (!seconds || *seconds <= 0)
    return wrong(source, value.Mark(), fmt::format("'{}' is no duration", printable(text)), "30m, 90s, 1.5h");
  recipe.timeout = *seconds;
  return {};
}

Result<bool> read_bool(const Source& source, const YAML::Node& value, const std::string& what) {
  bool flag = false;
  if (!value.IsScalar() || !YAML::convert<bool>::decode(value, flag))
    return wrong(source, value.Mark(), fmt::format("{} must be true or false", what));
  return flag;
}

Status read_network(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.network, read_bool(source, value, "'network'"));
  return {};
}

Status read_sandbox(const Source& source, const YAML::Node& value, Recipe& recipe) {
  ASSIGN_OR_RETURN(recipe.sandbox, read_bool(source, value, "'sandbox'"));
  return {};
}

constexpr Field<Recipe> kBuildFields[] = {
    {"template", read_template}, {"args", read_args},       {"targets", read_targets},
    {"steps", read_steps},       {"env", read_env},         {"timeout", read_timeout},
    {"network", read_network},   {"sandbox", read_sandbox},
};

Status read_build(const Source& source, const YAML::Node& value, Project& project) {
  if (value.IsScalar()) return read_template(source, value, project.build);
  TRY(read_fields<Recipe>(source, value, kBuildFields, "'build'", project.build));
  if (project.build.template_name.empty() == project.build.steps.empty())
    return wrong(source, value.Mark(), "'build' needs either 'template' or 'steps'",
                 "templates: " + join(template_names(), ", "));
  if (!project.build.steps.empty() && !(project.build.args.empty() && project.build.targets.empty()))
    return wrong(source, value.Mark(), "'args' and 'targets' belong to a template, not to 'steps'");
  return {};
}

Status read_artefacts(const Source& source, const YAML::Node& value, Project& project) {
  ASSIGN_OR_RETURN(project.artefacts, read_map(source, value, "'artefacts'"));
  for (const auto& [name, path] : project.artefacts) {
    if (!is_safe_name(name) || name == "meta.json" || name == "build.log")
      return wrong(source, value.Mark(), fmt::format("'{}' cannot be an artefact's name", printable(name)));
    if (!stays_below(path))
      return wrong(source, value.Mark(),
                   fmt::format("artefact '{}': '{}' is not below the source tree", name, printable(path)));
  }
  return {};
}

std::string without(std::string_view text, std::size_t begin, std::size_t end) {
  std::string kept(text);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if ((i < begin || i >= end) && kept[i] != '\n') kept[i] = ' ';
  return kept;
}

// Keeps [begin of the value, begin of the next top-level key).
Status read_benchmark(const Source& source, const YAML::Node& value, Project& project) {
  if (!value.IsMap()) return wrong(source, value.Mark(), "'benchmark' must be a map");
  if (trim(source.text).starts_with('{')) {  // the whole file in flow style: lines cannot be kept
    project.benchmark = YAML::Dump(value);
    return {};
  }
  const std::size_t begin = static_cast<std::size_t>(value.Mark().pos);
  std::size_t end = source.text.find('\n', begin);
  while (end != std::string_view::npos && end + 1 < source.text.size()) {
    const char first = source.text[end + 1];
    if (first != ' ' && first != '\n' && first != '\r' && first != '#') break;
    end = source.text.find('\n', end + 1);
  }
  project.benchmark = without(source.text, begin, std::min(end, source.text.size()));
  return {};
}

Status read_jobs(const Source& source, const YAML::Node& value, Project& project) {
  ASSIGN_OR_RETURN(const std::vector<std::string> jobs, read_words(source, value, "'jobs'"));
  for (const std::string& job : jobs)
    project.jobs.push_back((source.folder / job).lexically_normal().string());
  return {};
}

Status read_from(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.from, read_scalar(source, value, "'from'"));
  return {};
}

Status read_to(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.to, read_words(source, value, "'to'"));
  return {};
}

Status read_cc(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.cc, read_words(source, value, "'cc'"));
  return {};
}

Status read_prefix(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.subject_prefix, read_scalar(source, value, "'subject_prefix'"));
  return {};
}

Status read_archive(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.archive, read_scalar(source, value, "'archive'"));
  return {};
}

Status read_materials(const Source& source, const YAML::Node& value, MailRouting& mail) {
  ASSIGN_OR_RETURN(mail.materials, read_scalar(source, value, "'materials'"));
  return {};
}

constexpr Field<MailRouting> kMailFields[] = {{"from", read_from},       {"to", read_to},
                                              {"cc", read_cc},           {"subject_prefix", read_prefix},
                                              {"archive", read_archive}, {"materials", read_materials}};

// Addresses become header lines: a line break in one would forge another header.
Status read_mail(const Source& source, const YAML::Node& value, Project& project) {
  TRY(read_fields<MailRouting>(source, value, kMailFields, "'mail'", project.mail));
  std::vector<std::string> texts = project.mail.to;
  texts.insert(texts.end(), project.mail.cc.begin(), project.mail.cc.end());
  texts.insert(texts.end(), {project.mail.from, project.mail.subject_prefix, project.mail.archive,
                             project.mail.materials});
  for (const std::string& text : texts)
    if (printable(text) != text || text.contains('\n') || text.size() > 512)
      return wrong(source, value.Mark(), fmt::format("'{}' cannot stand in a mail header", printable(text)));
  return {};
}

constexpr int kMostRebuilds = 100;

Status read_rebuilds(const Source& source, const YAML::Node& value, Layout& layout) {
  ASSIGN_OR_RETURN(const std::string text, read_scalar(source, value, "'rebuilds'"));
  const std::optional<std::int64_t> count = parse_int(text);
  if (!count || *count < 1 || *count > kMostRebuilds)
    return wrong(source, value.Mark(),
                 fmt::format("'{}' is no number of builds from 1 to {}", printable(text), kMostRebuilds));
  layout.rebuilds = static_cast<int>(*count);
  return {};
}

Status read_linker(const Source& source, const YAML::Node& value, Layout& layout) {
  ASSIGN_OR_RETURN(layout.linker, read_scalar(source, value, "'linker'"));
  const std::vector<std::string> known = layout_linkers();
  if (std::ranges::find(known, layout.linker) != known.end()) return {};
  return wrong(source, value.Mark(), fmt::format("'{}' is no linker that shuffles", printable(layout.linker)),
               "one of " + join(known, ", "));
}

constexpr Field<Layout> kLayoutFields[] = {{"rebuilds", read_rebuilds}, {"linker", read_linker}};

Status read_layout(const Source& source, const YAML::Node& value, Project& project) {
  return read_fields<Layout>(source, value, kLayoutFields, "'layout'", project.layout);
}

constexpr Field<Project> kFields[] = {
    {"name", read_name},           {"url", read_url},
    {"branches", read_branches},   {"build", read_build},
    {"artefacts", read_artefacts}, {"benchmark", read_benchmark},
    {"jobs", read_jobs},           {"mail", read_mail},
    {"layout", read_layout},
};

// A benchmark that does not say its name is named as the project, in the blank first line so that no place
// moves.
void name_benchmark(const YAML::Node& value, Project& project) {
  if (project.benchmark.empty() || value["suite"]) return;
  const std::string line = "suite: " + project.name;
  const std::size_t first = project.benchmark.find_first_not_of(" \n");
  if (project.benchmark[first] == '{') {
    project.benchmark.insert(first + 1, line + ", ");
    return;
  }
  const std::size_t column = static_cast<std::size_t>(std::max(value.Mark().column, 0));
  const std::size_t end = project.benchmark.find('\n');
  project.benchmark.replace(0, end, std::string(column, ' ') + line);
}

Result<Project> read_project(const Source& source, const YAML::Node& root) {
  Project project;
  project.file = source.path;
  TRY(read_fields<Project>(source, root, kFields, "a project file", project));
  const std::string stem = project.file.stem().string();
  if (project.name.empty() && is_safe_name(stem)) project.name = stem;
  if (project.name.empty()) return wrong(source, root.Mark(), "the project has no 'name'");
  name_benchmark(root["benchmark"], project);
  if (project.url.empty())
    return wrong(source, root.Mark(), "the project has no 'url'",
                 "url: https://..., or the path of a repository");
  return project;
}

}  // namespace

Result<Project> parse_project(std::string_view text, const os::Path& path) {
  std::error_code ignored;
  const Source source = {text, path.string(), std::filesystem::absolute(path, ignored).parent_path()};
  try {
    return read_project(source, YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return wrong(source, error.mark.is_null() ? YAML::Mark() : error.mark, printable(error.msg));
  }
}

}  // namespace kilter::project
