/// Registries. A file, in the tree or in a plugin, registers what it adds to the program (a policy, a probe, an
/// experiment); nothing else has to name it.
///
///   GPUTLM_REGISTER { warp_schedulers().add<MyPolicy>("my_policy", "What it does in a line", "its source"); }
///
/// The block runs before a registry is first read, so it may use every registry, in any order of files. A library that
/// holds such blocks has to be linked whole (gputlm_library() in CMakeLists.txt does that).
#pragma once

#include <algorithm>
#include <limits>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {

/// A block that waits to run. Its constructor, which runs before main() or while a plugin is opened, only adds it to a
/// list, so that an exception of the block can be caught.
class Registration {
 public:
  using Block = void (*)();
  explicit Registration(Block block) noexcept;

  /// Runs the blocks that have not run yet; returns how many. Passes on an exception of a block, which will not run again.
  static unsigned run_pending();
  /// Runs the pending blocks of the plugin in this file.
  static unsigned run_pending_of(const std::string& plugin);
  /// The plugin file whose blocks run; empty for those of the program.
  static const std::string& plugin() noexcept;
  /// Forgets the blocks that have not run yet.
  static void drop_pending() noexcept;

 private:
  Block block_;
  Registration* next_;
};

/// What every entry of a Registry has; entries derive from it.
struct Registered {
  std::string name;
  /// Place in listings: lower ranks come first, equal ranks by name. The order thus depends neither on linking nor on
  /// plugins.
  unsigned rank = std::numeric_limits<unsigned>::max();
};

/// The entries of one kind, each with a unique name, in the order of their ranks. References to entries stay valid.
template <class Entry>
class Registry {
 public:
  /// `kind`: what messages call an entry, such as the parameter that selects it: `sm.warp_scheduler`.
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Throws InputError if the name is taken.
  Entry& add(Entry entry) {
    if (has(entry.name)) throw InputError(kind_ + ": '" + entry.name + "' is registered twice");
    const auto before = [](const Registered& a, const Registered& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.name < b.name;
    };
    return *entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, before), std::move(entry));
  }

  /// All entries, after running the blocks that were still pending.
  const std::list<Entry>& all() const {
    Registration::run_pending();
    return entries_;
  }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  std::size_t size() const { return all().size(); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : all()) names.push_back(entry.name);
    return names;
  }
  /// Null if there is none of this name.
  const Entry* find(std::string_view name) const {
    for (const Entry& entry : all()) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
  /// Throws InputError, with the existing names, if there is none of this name.
  const Entry& at(std::string_view name) const {
    if (const Entry* const entry = find(name)) return *entry;
    std::string allowed;
    for (const Entry& entry : all()) allowed += (allowed.empty() ? "" : ", ") + entry.name;
    throw InputError(kind_ + ": found '" + std::string(name) + "', allowed are " + allowed);
  }
  const std::string& kind() const { return kind_; }

 private:
  bool has(std::string_view name) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  }

  std::string kind_;
  std::list<Entry> entries_;
};

}  // namespace gputlm

// NOLINTBEGIN(bugprone-macro-parentheses): names are put together.
#define GPUTLM_REGISTER GPUTLM_REGISTER_NUMBER(__COUNTER__)
#define GPUTLM_REGISTER_NUMBER(number) GPUTLM_REGISTER_BLOCK(number)
#define GPUTLM_REGISTER_BLOCK(number)                                                   \
  static void gputlm_register_##number();                                               \
  static ::gputlm::Registration gputlm_registration_##number(gputlm_register_##number); \
  static void gputlm_register_##number()
// NOLINTEND(bugprone-macro-parentheses)

/// The interface that a plugin or the program was compiled against (platform/input/plugin.h compares them): the version of
/// the headers that a plugin sees, to be raised with every change to them, and the C++ ABI. Every file that registers
/// something contains it.
#define GPUTLM_PLUGIN_TEXT(value) GPUTLM_PLUGIN_TEXT_OF(value)
#define GPUTLM_PLUGIN_TEXT_OF(value) #value
#define GPUTLM_PLUGIN_INTERFACE "gputlm plugin interface 9, C++ ABI " GPUTLM_PLUGIN_TEXT(__GXX_ABI_VERSION)
extern "C" {
[[gnu::used, gnu::visibility("default")]] inline const char gputlm_plugin_interface[] = GPUTLM_PLUGIN_INTERFACE;
}
