#include "robot/archive.h"

#include "os/host.h"
#include "robot/libarchive.h"

#include <fmt/core.h>

#include <archive.h>
#include <archive_entry.h>
#include <memory>
#include <system_error>

namespace kilter::robot {
namespace {

constexpr int kFileMode = 0644;
constexpr int kProgramMode = 0755;

struct WriteFree {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct EntryFree {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Writer = std::unique_ptr<archive, WriteFree>;
using Entry = std::unique_ptr<archive_entry, EntryFree>;

tl::unexpected<Error> archive_failure(const os::Path& path, archive* writer) {
  const char* why = archive_error_string(writer);
  return failure(
      fmt::format("writing archive '{}': {}", path.string(), why == nullptr ? "unknown cause" : why));
}

Status add_member(archive* writer, const os::Path& path, const ArchiveMember& member, std::int64_t time) {
  std::string bytes = member.text;
  if (!member.file.empty()) {
    ASSIGN_OR_RETURN(bytes, os::read_file(member.file));
  }
  const Entry entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), member.name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  archive_entry_set_filetype(entry.get(), member.link.empty() ? AE_IFREG : AE_IFLNK);
  if (!member.link.empty()) archive_entry_set_symlink(entry.get(), member.link.c_str());
  archive_entry_set_mtime(entry.get(), time, 0);
  archive_entry_set_perm(entry.get(), member.executable ? kProgramMode : kFileMode);
  if (archive_write_header(writer, entry.get()) != ARCHIVE_OK) return archive_failure(path, writer);
  if (archive_write_data(writer, bytes.data(), bytes.size()) < 0) return archive_failure(path, writer);
  return {};
}

Status write_members(const os::Path& path, const std::vector<ArchiveMember>& members, std::int64_t time) {
  const Writer writer(archive_write_new());
  archive_write_add_filter_gzip(writer.get());
  archive_write_set_options(writer.get(), "gzip:!timestamp");
  archive_write_set_format_pax_restricted(writer.get());
  if (archive_write_open_filename(writer.get(), path.c_str()) != ARCHIVE_OK)
    return archive_failure(path, writer.get());
  for (const ArchiveMember& member : members) TRY(add_member(writer.get(), path, member, time));
  if (archive_write_close(writer.get()) != ARCHIVE_OK) return archive_failure(path, writer.get());
  return {};
}

}  // namespace

Status write_archive(const os::Path& path, const std::vector<ArchiveMember>& members, std::int64_t time) {
  TRY(load_libarchive());
  TRY(os::make_directories(path.parent_path()));
  const os::Path temporary = fmt::format("{}.{}.tmp", path.string(), os::process_id());
  Status written = write_members(temporary, members, time);
  const Result<bool> renamed = written ? os::rename_new(temporary, path) : Result<bool>(false);
  if (!written || !renamed || !*renamed) static_cast<void>(os::remove_tree(temporary));
  if (!written) return written;
  if (!renamed) return fail(renamed.error());
  if (!*renamed) return failure(fmt::format("writing archive '{}': it is there already", path.string()));
  return {};
}

}  // namespace kilter::robot
