#include "job/null_words.h"

#include "job/programs.h"

#include <algorithm>

namespace kilter::job {
namespace {

using model::Node;

bool names_program(const Node& map, std::string_view program) {
  return std::ranges::any_of(map.entries(), [program](const Node::Entry& entry) {
    return entry.first == program || names_program(entry.second, program);
  });
}

void keep_word(Node& value) {
  if (value.is_null() && !value.text().empty()) {
    const model::Mark mark = value.mark;
    value = Node::scalar(value.text(), true);
    value.mark = mark;
  }
  for (Node& item : value.items()) keep_word(item);
}

// The option stands in the program's own map, or outside of every program.
void keep_below(Node& map, const NullWord& word) {
  for (Node::Entry& entry : map.entries()) {
    if (entry.first == word.option)
      keep_word(entry.second);
    else if (entry.first == word.program || Catalogue::builtin().find(entry.first) == nullptr)
      keep_below(entry.second, word);
  }
}

}  // namespace

void keep_null_words(Node& job) {
  for (const NullWord& word : Catalogue::builtin().null_words())
    if (names_program(job, word.program)) keep_below(job, word);
}

}  // namespace kilter::job
