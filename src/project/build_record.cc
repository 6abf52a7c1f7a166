#include "project/build_record.h"

#include "base/text.h"
#include "model/json.h"
#include "project/construction.h"
#include "project/repository.h"

#include <fmt/core.h>

namespace kilter::project {
namespace {

using nlohmann::json;

constexpr std::uint64_t kKeptPatchLimit = std::uint64_t{1} << 20;

json patches_json(const std::vector<std::string>& paths) {
  json patches = json::array();
  for (const std::string& path : paths)
    patches.push_back({{"name", os::Path(path).filename().string()},
                       {"text", os::read_file(path, kKeptPatchLimit).value_or("")}});
  return patches;
}

std::vector<PatchFile> patches_of(const json& meta) {
  std::vector<PatchFile> patches;
  const auto list = meta.find("patches");
  if (list == meta.end() || !list->is_array()) return patches;
  for (const json& patch : *list) {
    // A name with folders in it could lead out of an archive.
    const std::string name = os::Path(model::member<std::string>(patch, "name")).filename().string();
    if (!name.empty() && name != "." && name != "..")
      patches.push_back({name, model::member<std::string>(patch, "text")});
  }
  return patches;
}

// A word in which "{jobs}" is known only to the shell.
std::string script_word(const std::string& word) {
  constexpr std::string_view kJobs = "{jobs}";
  std::string text;
  std::size_t begin = 0;
  for (std::size_t at = word.find(kJobs); at != std::string::npos; at = word.find(kJobs, begin)) {
    if (at > begin) text += shell_quote(word.substr(begin, at - begin));
    text += "\"$jobs\"";
    begin = at + kJobs.size();
  }
  return begin < word.size() || word.empty() ? text + shell_quote(word.substr(begin)) : text;
}

// Foreign text within a comment: on one line.
std::string comment(const std::string& text) {
  return replace_all(printable(text), "\n", " ");
}

std::string step_line(const Argv& step) {
  std::vector<std::string> words;
  for (const std::string& word : step) words.push_back(script_word(word));
  return join(words, " ") + "\n";
}

}  // namespace

std::string build_record_json(const Project& project, const model::Revision& revision,
                              const model::Build& build) {
  const std::string text = os::read_file(os::Path(build.directory) / "meta.json").value_or("{}");
  json record = model::parse_json(text, "meta.json").value_or(json::object());
  // A build that failed left no meta.json.
  if (!record.contains("steps")) record["steps"] = build_steps(project.build).value_or(std::vector<Argv>{});
  if (!record.contains("env")) record["env"] = project.build.env;
  if (!record.contains("artefacts")) record["artefacts"] = project.artefacts;
  record["project"] = project.name;
  record["url"] = without_password(project.url);
  record["revision"] = revision.label;
  record["commit"] = revision.commit.sha;
  record["patches"] = patches_json(revision.patches);
  record["key"] = build.key;
  record["id"] = build.id;
  return model::dump_json(record);
}

Result<BuildRecord> parse_build_record(std::string_view text) {
  using Map = std::map<std::string, std::string>;
  ASSIGN_OR_RETURN(const json meta, model::parse_json(text, "reading build.json"));
  return BuildRecord{.project = model::member<std::string>(meta, "project"),
                     .url = model::member<std::string>(meta, "url"),
                     .label = model::member<std::string>(meta, "revision"),
                     .commit = model::member<std::string>(meta, "commit"),
                     .patches = patches_of(meta),
                     .tree = model::member<std::string>(meta, "tree"),
                     .key = model::member<std::string>(meta, "key"),
                     .id = model::member<std::string>(meta, "id"),
                     .steps = model::member<std::vector<Argv>>(meta, "steps"),
                     .env = model::member<Map>(meta, "env"),
                     .artefacts = model::member<Map>(meta, "artefacts"),
                     .tools = model::member<Map>(meta, "tools"),
                     .hashes = model::member<Map>(meta, "hashes")};
}

std::string build_script(const BuildRecord& record) {
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# Builds {} {} into ./artefacts. URL=... names another clone of the sources.\n"
      "set -eu\n"
      "here=$(cd \"$(dirname \"$0\")\" && pwd)\n"
      "url=${{URL:-{}}}\n"
      "jobs=$(nproc 2>/dev/null || echo 1)\n"
      "rm -rf \"$here/src\" \"$here/artefacts\"\n"
      "git clone --quiet --no-checkout -- \"$url\" \"$here/src\"\n"
      "cd \"$here/src\"\n"
      "git checkout --quiet --detach {}\n",
      comment(record.project), comment(record.label), shell_quote(record.url), shell_quote(record.commit));
  for (const PatchFile& patch : record.patches)
    text += fmt::format("git apply -- \"$here\"/{}\n", shell_quote(patch.name));
  text += fmt::format("rm -rf .git\nexport LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH={}\n", kSourceDate);
  for (const auto& [name, value] : record.env) text += "export " + shell_quote(name + "=" + value) + "\n";
  for (const Argv& step : record.steps) text += step_line(step);
  text += "mkdir \"$here/artefacts\"\n";
  for (const auto& [name, path] : record.artefacts)
    text += fmt::format("cp -RL -- {} \"$here/artefacts\"/{}\n", shell_quote(path), shell_quote(name));
  return text;
}

}  // namespace kilter::project
