#include "project/slot.h"

namespace kilter::project {
namespace {

constexpr int kSlots = 16;

// Go's module cache and some builds leave read-only directories, which only root could remove.
void make_writable(const os::Path& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error))
    if (it->is_directory(error) && !it->is_symlink(error))
      fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, error);
}

Status remove_below(const os::Path& directory) {
  for (const os::Path& path : os::list_directory(directory)) {
    if (os::remove_tree(path)) continue;
    make_writable(path);
    TRY(os::remove_tree(path));
  }
  return {};
}

Result<os::FileLock> try_lock(const BuildPlaces& places, int number) {
  return os::FileLock::acquire(places.locks() / ("slot-" + std::to_string(number)), 0);
}

}  // namespace

Status BuildPlaces::make() const {
  for (const os::Path& path : {source(), cache(), locks(), failed()}) TRY(os::make_directories(path));
  return os::append_file(locks() / "writable", "");
}

Result<std::optional<Slot>> Slot::take(const BuildPlaces& places, Kind kind) {
  const int count = kind == Kind::plain ? 1 : kSlots;
  for (int number = 0; number < count; ++number) {
    Result<os::FileLock> lock = try_lock(places, number);
    if (!lock) continue;
    const os::Path root = places.slot(number);
    Slot slot(std::move(*lock), root, kind == Kind::plain ? places.source() : root / "src");
    TRY(slot.clean());
    for (const os::Path& path : {slot.source_, slot.tmp(), slot.staging()}) TRY(os::make_directories(path));
    return std::optional<Slot>(std::move(slot));
  }
  return std::optional<Slot>();
}

Status Slot::clean() const {
  TRY(remove_below(source_));
  return remove_below(root_);
}

Slot::~Slot() {
  if (!root_.empty()) (void)clean();
}

void sweep_slots(const BuildPlaces& places) {
  for (int number = 0; number < kSlots; ++number) {
    if (!os::is_there(places.slot(number))) continue;
    const Result<os::FileLock> lock = try_lock(places, number);
    if (!lock) continue;
    (void)remove_below(places.slot(number));
    if (number == 0) (void)remove_below(places.source());
  }
}

}  // namespace kilter::project
