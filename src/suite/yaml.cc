#include "suite/yaml.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

namespace kilter::suite {
namespace {

// A suite is a page of text; more than this is an accident or an attack (aliases of aliases).
constexpr int kMostNodes = 20'000;
constexpr int kDeepestYaml = 50;

std::string place(const std::string& file, const YAML::Mark& mark) {
  if (mark.line < 0) return file;
  return fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  model::Node convert(const YAML::Node& yaml, int depth) {
    if (++count_ > kMostNodes || depth > kDeepestYaml)
      throw YAML::Exception(yaml.Mark(), "the document is too large");
    model::Node node = content(yaml, depth);
    node.mark = {file_, yaml.Mark().line + 1, yaml.Mark().column + 1};
    return node;
  }

 private:
  model::Node content(const YAML::Node& yaml, int depth) {
    if (yaml.IsScalar()) return model::Node::scalar(yaml.Scalar(), yaml.Tag() == "!");
    if (yaml.IsSequence()) {
      std::vector<model::Node> items;
      for (const YAML::Node& item : yaml) items.push_back(convert(item, depth + 1));
      return model::Node::list(std::move(items));
    }
    if (!yaml.IsMap()) return {};
    model::Node map = model::Node::map();
    for (auto it = yaml.begin(); it != yaml.end(); ++it) {
      const std::string name = it->first.as<std::string>();
      if (map.find(name) != nullptr)
        throw YAML::Exception(it->first.Mark(), "'" + name + "' stands here twice");
      map.set(name, convert(it->second, depth + 1));
    }
    return map;
  }

  model::FileName file_;
  int count_ = 0;
};

}  // namespace

Result<model::Node> read_yaml(const std::string& text, const std::string& file) {
  try {
    return Converter(file).convert(YAML::Load(text), 0);
  } catch (const YAML::Exception& error) {
    return usage_error("reading " + place(file, error.mark) + ": " + error.msg);
  }
}

}  // namespace kilter::suite
