#include "robot/libarchive.h"

#include "os/lazy_library.h"

#include <archive.h>
#include <archive_entry.h>

namespace kilter::robot {
namespace {

os::LazyLibrary& library() {
  static os::LazyLibrary lazy("libarchive.so.13", "libarchive13");
  return lazy;
}

}  // namespace

Status load_libarchive() {
  return library().load();
}

}  // namespace kilter::robot

// The functions that archive.cc calls, each handed on to the one in the library.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define HAND_ON(result, name, parameters, arguments)                                      \
  result name parameters {                                                                \
    static result(*const real) parameters =                                               \
        reinterpret_cast<result(*) parameters>(kilter::robot::library().function(#name)); \
    return real arguments;                                                                \
  }

extern "C" {
HAND_ON(archive*, archive_write_new, (), ())
HAND_ON(int, archive_write_free, (archive * writer), (writer))
HAND_ON(int, archive_write_add_filter_gzip, (archive * writer), (writer))
HAND_ON(int, archive_write_set_options, (archive * writer, const char* options), (writer, options))
HAND_ON(int, archive_write_set_format_pax_restricted, (archive * writer), (writer))
HAND_ON(int, archive_write_open_filename, (archive * writer, const char* path), (writer, path))
HAND_ON(int, archive_write_header, (archive * writer, archive_entry* entry), (writer, entry))
HAND_ON(la_ssize_t, archive_write_data, (archive * writer, const void* bytes, size_t count),
        (writer, bytes, count))
HAND_ON(int, archive_write_close, (archive * writer), (writer))
HAND_ON(const char*, archive_error_string, (archive * writer), (writer))
HAND_ON(archive_entry*, archive_entry_new, (), ())
HAND_ON(void, archive_entry_free, (archive_entry * entry), (entry))
HAND_ON(void, archive_entry_set_pathname, (archive_entry * entry, const char* name), (entry, name))
HAND_ON(void, archive_entry_set_size, (archive_entry * entry, la_int64_t size), (entry, size))
HAND_ON(void, archive_entry_set_filetype, (archive_entry * entry, unsigned int type), (entry, type))
HAND_ON(void, archive_entry_set_perm, (archive_entry * entry, mode_t mode), (entry, mode))
HAND_ON(void, archive_entry_set_symlink, (archive_entry * entry, const char* target), (entry, target))
HAND_ON(void, archive_entry_set_mtime, (archive_entry * entry, time_t seconds, long nanoseconds),
        (entry, seconds, nanoseconds))
}
// NOLINTEND(bugprone-macro-parentheses)
