#include "base/regex_fault.h"

#include <array>

namespace kilter {
namespace {

namespace codes = std::regex_constants;

struct Fault {
  codes::error_type code;
  const char* text;
};

const std::array<Fault, 13> kFaults = {{
    {codes::error_collate, "there is no such collating element"},
    {codes::error_ctype, "there is no such class of characters"},
    {codes::error_escape, "a backslash stands before a character it has no meaning for"},
    {codes::error_backref, "it refers to a group that is not there"},
    {codes::error_brack, "a '[' or ']' has no partner"},
    {codes::error_paren, "a '(' or ')' has no partner"},
    {codes::error_brace, "a '{' or '}' has no partner"},
    {codes::error_badbrace, "what stands between '{' and '}' is no range"},
    {codes::error_range, "a range of characters ends before it begins"},
    {codes::error_space, "it is too large"},
    {codes::error_badrepeat, "there is nothing before a '*', '?', '+' or '{' to be repeated"},
    {codes::error_complexity, "it takes too long to match"},
    {codes::error_stack, "it is too deeply nested"},
}};

}  // namespace

const char* regex_fault(const std::regex_error& error) {
  for (const Fault& fault : kFaults)
    if (fault.code == error.code()) return fault.text;
  return "it cannot be read";
}

}  // namespace kilter
