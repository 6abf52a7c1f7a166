#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

// JSON inside a log: other lines may stand before, between and behind the documents. For .cc files only.
namespace kilter::suite {

// Every object or array of `text` that begins a line and is complete; what is broken is left out.
// Deeper nesting than 100, and more than 10,000 documents, are not read.
[[nodiscard]] std::vector<nlohmann::json> json_documents(std::string_view text);

// A number of a member as Ruby prints it: integers plain, floats shortest. False when it is none.
[[nodiscard]] bool number_text(const nlohmann::json& object, const char* key, std::string& text);

// A member that is an object or array, or an empty value of that kind.
[[nodiscard]] const nlohmann::json& child(const nlohmann::json& object, const char* key);
// A member that is text, else "".
[[nodiscard]] std::string text_of(const nlohmann::json& object, const char* key);

}  // namespace kilter::suite
