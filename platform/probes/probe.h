/// Probes: observers that attach to units by configuration (`--probe NAME[=VALUE]`). A probe is one file, in the tree or in a
/// plugin: it says what it watches and registers itself. Units do not know it. docs/probes.md has an example.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "models/host/workload.h"
#include "platform/files/output_folder.h"
#include "tlm/assembly.h"
#include "tlm/base/error.h"
#include "tlm/base/field.h"
#include "tlm/base/registry.h"
#include "tlm/sampler.h"
#include "tlm/tap.h"

namespace gputlm {

/// What a probe attaches to: the units of a run, made and bound, before it starts.
class ProbeSite {
 public:
  /// `folder`: for files; null: none.
  ProbeSite(Assembly& assembly, const Workload* workload, const Clock& core_clock, OutputFolder* folder)
      : clock(core_clock), assembly_(assembly), workload_(workload), folder_(folder) {}
  ProbeSite(const ProbeSite&) = delete;
  ProbeSite& operator=(const ProbeSite&) = delete;

  /// The core clock, or the clock of DRAM controllers without a GPU.
  const Clock clock;
  /// Throws InputError if an address trace is played.
  const Workload& workload() const;
  /// The units of a type, in the order in which they were made, which is by number for SMs, slices and channels. Throws
  /// InputError, naming them by `what`, if there is none.
  template <class U>
  std::vector<U*> units(const char* what) const {
    std::vector<U*> found = find<U>();
    if (found.empty()) none(what);
    return found;
  }
  /// The same, but possibly none.
  template <class U>
  std::vector<U*> find() const {
    std::vector<U*> found;
    for (const std::unique_ptr<Unit>& unit : assembly_.units()) {
      if (auto* const one = dynamic_cast<U*>(unit.get())) found.push_back(one);
    }
    return found;
  }
  /// Passes everything that goes through the unit's tap to `watcher`, in order, after each window.
  template <class Event, class Watcher>
  void watch(Unit& unit, Tap<Event>& tap, Watcher watcher) {
    unit.watch(tap, std::move(watcher));
    taps_.push_back(&tap);
  }
  /// Samples the counters of all units before every multiple of `period`, and at the end of the run (tlm/sampler.h). Tap
  /// events before that time have been passed on by then, and some later ones.
  void sample(Femtoseconds period, Sampler::Take take) {
    samplers_.push_back(std::make_unique<Sampler>(assembly_.units(), period, std::move(take)));
  }
  /// In the order of the reports of a sample.
  const std::vector<std::unique_ptr<Unit>>& units() const { return assembly_.units(); }
  /// A file of the folder, which appears there with the others at the end of the run. Throws InputError if it cannot be
  /// written, if there is no folder, or if another probe has it.
  AtomicFile& file(const std::string& name);

 private:
  friend class ProbeSet;
  [[noreturn]] void none(const std::string& what) const;

  Assembly& assembly_;
  const Workload* workload_;
  OutputFolder* folder_;
  std::string probe_;  ///< the probe that is attaching
  std::vector<Flushable*> taps_;
  std::vector<std::unique_ptr<Sampler>> samplers_;
  std::map<std::string, AtomicFile*> files_;
};

class Probe {
 public:
  virtual ~Probe() = default;
  /// Called once, before the run. May throw InputError.
  virtual void attach(ProbeSite& site) = 0;
  /// Called after the last event.
  virtual void finish() {}
};

struct ProbeInfo : Registered {
  std::string description;
  /// `value`: the text behind `NAME=`, or empty. Throws InputError if it is not allowed.
  std::function<std::unique_ptr<Probe>(const std::string& value)> make;
  /// An option of `gputlm run` that replaces --probe with a value: `--series 1us` for `--probe series=1us`. Its name has the
  /// dashes. Only for the program's own probes: plugins are loaded after the options have been read.
  std::optional<Field> option;
  /// Whether a run of the workload that writes files has this probe without being asked for it; null: never.
  std::function<bool(const Workload&)> unasked;
};

/// All probes.
Registry<ProbeInfo>& probes();

/// Maximum number of blocks for which a run writes files of one or more lines per block by default.
inline constexpr std::uint64_t kMostBlocksUnasked = 1'000'000;
bool has_few_blocks(const Workload& workload);

/// Registers `P`, constructed from its value, or by default if it takes none. `rank`: position in listings, last by default;
/// `unasked`: ProbeInfo::unasked.
template <class P>
void add_probe(const std::string& name, const std::string& description,
               unsigned rank = std::numeric_limits<unsigned>::max(),
               std::function<bool(const Workload&)> unasked = nullptr, std::optional<Field> option = std::nullopt) {
  const auto make = [name]([[maybe_unused]] const std::string& value) -> std::unique_ptr<Probe> {
    if constexpr (std::is_constructible_v<P, const std::string&>) {
      return std::make_unique<P>(value);
    } else {
      if (!value.empty())
        throw InputError("--probe " + name + ": found '" + shortened(value) + "', but it takes no value");
      return std::make_unique<P>();
    }
  };
  probes().add({{name, rank}, description, make, std::move(option), std::move(unasked)});
}

// The probes of one run.

class ProbeSet {
 public:
  /// `asked`: probes as `NAME` or `NAME=VALUE`; a repeated one counts once. `folder`: for their files; null: none. Throws
  /// InputError for an unknown name, a value that is not allowed, and a probe with two values.
  ProbeSet(const std::vector<std::string>& asked, OutputFolder* folder);

  /// The platform calls these before the run, and after statistics have been taken, since that may report last events. `end`
  /// is the first time after the run.
  void attach(Assembly& assembly, const Workload* workload, const Clock& clock);
  void finish(Femtoseconds end);
  /// SHA-1 of the probes' files, by name; call it after finish().
  std::map<std::string, std::string> digests() const;

 private:
  struct Attached {
    std::string name, value;
    std::unique_ptr<Probe> probe;
  };
  OutputFolder* folder_;
  std::vector<Attached> probes_;
  std::optional<ProbeSite> site_;
};

}  // namespace gputlm
