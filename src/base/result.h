#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

// How a fallible call answers: `Result<T>` holds a T or an Error.
//   Result<Job> load(path);                   declare
//   ASSIGN_OR_RETURN(Job job, load(path));    propagate
//   TRY(save(job));                           propagate, nothing to keep
//   return fail("reading '{}': {}", p, why).with_hint("...");
// Exceptions of third-party libraries are caught in the room that uses the library.
namespace kilter {

// What kind of end an error asks for; the cli maps it to the exit code.
enum class ErrorCode {
  usage,        // the command line, a job or a project file is wrong: exit 2
  failure,      // it could not be done: exit 3
  interrupted,  // the user or a signal ended it: exit 130
};

// `message` says action, 'object', cause, in one line and without a final full stop; `hint` (may be empty)
// what to do.
struct Error {
  ErrorCode code = ErrorCode::failure;
  std::string message;
  std::string hint;

  // The same error with `outer` in front: "outer: message".
  [[nodiscard]] Error in(const std::string& outer) const;
  [[nodiscard]] Error with_hint(std::string text) const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// An Error as the unexpected half of any Result.
[[nodiscard]] tl::unexpected<Error> failure(std::string message, std::string hint = {});
[[nodiscard]] tl::unexpected<Error> usage_error(std::string message, std::string hint = {});
[[nodiscard]] tl::unexpected<Error> interrupted(std::string message);
[[nodiscard]] tl::unexpected<Error> fail(Error error);

}  // namespace kilter

#define KILTER_CONCAT_(a, b) a##b
#define KILTER_CONCAT(a, b) KILTER_CONCAT_(a, b)

#define TRY(expression)                                                                 \
  do {                                                                                  \
    auto kilter_status = (expression);                                                  \
    if (!kilter_status) return ::tl::make_unexpected(std::move(kilter_status).error()); \
  } while (false)

#define KILTER_ASSIGN_OR_RETURN_(temporary, target, expression)               \
  auto temporary = (expression);                                              \
  if (!temporary) return ::tl::make_unexpected(std::move(temporary).error()); \
  target = std::move(*temporary)

#define ASSIGN_OR_RETURN(target, expression) \
  KILTER_ASSIGN_OR_RETURN_(KILTER_CONCAT(kilter_result_, __LINE__), target, expression)
