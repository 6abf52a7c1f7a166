#pragma once

#include "base/result.h"
#include "job/expand.h"
#include "job/expression.h"
#include "model/node.h"

#include <string>
#include <vector>

// One job or include file, from its bytes to its documents: checks, ERB, YAML, comment keys, `<<` files.
namespace kilter::job {

struct SourceOptions {
  bool erb = true;          // `run` takes unit jobs as they are
  bool compatible = false;  // keep_job_sections
};

class SourceLoader {
 public:
  // Both outlive the loader. `scope`: what ERB conditions of the files can see.
  SourceLoader(const FileReader& read, const Scope& scope) : read_(read), scope_(scope) {}

  // The documents of `path`, each a map (an empty one for an empty document).
  [[nodiscard]] Result<std::vector<model::Node>> load(const std::string& path, const SourceOptions& options);

  // The bytes of `path` from the reader, else of the file of that name in the program.
  [[nodiscard]] static std::optional<std::string> read_file(const FileReader& read, const std::string& path);
  // `text`, which stood in `file`.
  [[nodiscard]] Result<std::vector<model::Node>> parse(std::string text, const std::string& file,
                                                       const SourceOptions& options);
  // Of the files read so far: keys that stand twice in one map.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  [[nodiscard]] Result<std::vector<model::Node>> merge_documents(model::Node document,
                                                                 const std::string& file, bool top);
  [[nodiscard]] Result<std::vector<model::Node>> included(const model::Node& what, const std::string& from);
  [[nodiscard]] Status merge_below(model::Node& value, const std::string& file);
  [[nodiscard]] Result<std::string> find_file(const std::string& name, const model::Mark& mark,
                                              const std::string& from);

  const FileReader& read_;
  const Scope& scope_;
  std::vector<std::string> open_;  // files being read, outermost first
  int files_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace kilter::job
