/// Writes selected signals over time as a value change dump, for GTKWave and other waveform viewers (IEEE 1364, 18.2;
/// docs/timeline.md).
#include <fmt/format.h>
#include <fnmatch.h>

#include <iterator>
#include <set>

#include "models/dram/controller.h"
#include "models/host/host.h"
#include "models/l2/slice.h"
#include "models/sm/sm.h"
#include "platform/files/split.h"
#include "platform/probes/merged.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

constexpr unsigned kBits = 32;
constexpr Femtoseconds kPicosecond = 1000;

/// A word of printable characters, as short as possible.
std::string code_of(std::size_t signal) {
  std::string code;
  do {
    code.push_back(static_cast<char>('!' + signal % 94));
    signal /= 94;
  } while (signal > 0);
  return code;
}

/// Replaces white space, which would end a name.
std::string word(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return name;
}

class Waves final : public Probe {
 public:
  explicit Waves(const std::string& patterns) : patterns_(split(patterns, ',')) {}

  void attach(ProbeSite& site) override {
    clock_ = site.clock;
    workload_ = &site.workload();
    file_ = &site.file("waves.vcd");
    watch_applications(site);
    watch_streams(site);
    watch_sms(site);
    watch_l2(site);
    watch_dram(site);
    for (const std::string& pattern : patterns_) {
      if (matched_.count(pattern) > 0) continue;
      throw InputError("--waves: no signal is called '" + shortened(pattern) +
                       "'; there are application.NAME.blocks and .threads, stream.APPLICATION.NAME.waiting and "
                       ".under_way, sm_N.blocks, .threads and .warps, l2_N.hits and .misses, dram_N.open_rows, "
                       ".activates, .reads, .writes and .refreshes; * stands for anything");
    }
    write_header();
  }

  void finish() override {
    order_.finish();
    write_changes();
    file_->write(fmt::format("#{}\n", order_.latest() / kPicosecond + 1));
  }

 private:
  struct Signal {
    std::string scope, name, code;
    std::int64_t value = 0;
    std::int64_t written = 0;
  };
  struct Change {
    std::size_t signal;
    std::int32_t by;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// The number of a signal; kNone if it was not requested.
  std::size_t signal(const std::string& scope, const std::string& name) {
    bool chosen = false;
    for (const std::string& pattern : patterns_) {
      if (fnmatch(pattern.c_str(), (scope + "." + name).c_str(), 0) != 0) continue;
      matched_.insert(pattern);
      chosen = true;
    }
    if (!chosen) return kNone;
    signals_.push_back({scope, name, code_of(signals_.size())});
    return signals_.size() - 1;
  }
  void add(TimeKey key, std::size_t signal, std::int32_t by) {
    if (signal != kNone) order_.add(key, {signal, by});
  }

  void watch_applications(ProbeSite& site) {
    struct Of {
      std::size_t blocks, threads;
    };
    std::vector<Of> all;
    bool chosen = false;
    for (const ApplicationSpec& application : workload_->applications) {
      const std::string scope = "application." + word(application.name);
      all.push_back({signal(scope, "blocks"), signal(scope, "threads")});
      chosen = chosen || all.back().blocks != kNone || all.back().threads != kNone;
    }
    if (!chosen) return;
    for (Sm* const sm : site.units<Sm>("SM")) {
      site.watch(*sm, sm->core().blocks, [this, all, source = next_source_++](const BlockOnSm& block) {
        const TimeKey key{clock_.edge(block.at), source};
        const std::int32_t sign = block.comes() ? 1 : -1;
        add(key, all[block.identity.application].blocks, sign);
        add(key, all[block.identity.application].threads, sign * threads_of(block));
      });
    }
  }
  void watch_streams(ProbeSite& site) {
    struct Of {
      std::size_t waiting, under_way;
    };
    std::vector<Of> all;
    bool chosen = false;
    for (const StreamSpec& stream : workload_->streams) {
      const std::string scope =
          "stream." + word(workload_->applications[stream.application].name) + "." + word(stream.name);
      all.push_back({signal(scope, "waiting"), signal(scope, "under_way")});
      chosen = chosen || all.back().waiting != kNone || all.back().under_way != kNone;
    }
    if (!chosen) return;
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().stream_steps, [this, all, source = next_source_++](const StreamStep& step) {
      using Step = StreamStep::Step;
      const TimeKey key{clock_.edge(step.at), source};
      if (step.step != Step::kEnded) add(key, all[step.stream].waiting, step.step == Step::kIssued ? 1 : -1);
      if (step.step != Step::kIssued) add(key, all[step.stream].under_way, step.step == Step::kSubmitted ? 1 : -1);
    });
  }
  void watch_sms(ProbeSite& site) {
    const auto sms = site.units<Sm>("SM");
    for (std::size_t i = 0; i < sms.size(); ++i) {
      const std::string scope = fmt::format("sm_{}", i);
      const std::size_t blocks = signal(scope, "blocks"), threads = signal(scope, "threads");
      const std::size_t warps = signal(scope, "warps");
      SmModel& core = sms[i]->core();
      if (blocks != kNone || threads != kNone) {
        site.watch(*sms[i], core.blocks, [=, source = next_source_++](const BlockOnSm& block) {
          const TimeKey key{clock_.edge(block.at), source};
          const std::int32_t sign = block.comes() ? 1 : -1;
          add(key, blocks, sign);
          add(key, threads, sign * threads_of(block));
        });
      }
      if (warps != kNone) {
        site.watch(*sms[i], core.warps, [=, source = next_source_++](const WarpOnSm& warp) {
          add({clock_.edge(warp.at), source}, warps, warp.comes() ? 1 : -1);
        });
      }
    }
  }
  void watch_l2(ProbeSite& site) {
    const auto slices = site.units<L2Slice>("L2 slice");
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::string scope = fmt::format("l2_{}", i);
      const std::size_t hits = signal(scope, "hits"), misses = signal(scope, "misses");
      if (hits == kNone && misses == kNone) continue;
      site.watch(*slices[i], slices[i]->core().served,
                 [=, clock = slices[i]->clock(), source = next_source_++](const L2Served& served) {
                   add({clock.edge(served.at), source}, served.hit ? hits : misses, 1);
                 });
    }
  }
  void watch_dram(ProbeSite& site) {
    const auto channels = site.units<DramController>("DRAM controller");
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::string scope = fmt::format("dram_{}", i);
      const std::size_t open = signal(scope, "open_rows");
      const std::array<std::size_t, kCommands> counts{signal(scope, "activates"), kNone, signal(scope, "reads"),
                                                      signal(scope, "writes"), signal(scope, "refreshes")};
      if (open == kNone && std::all_of(counts.begin(), counts.end(), [](std::size_t c) { return c == kNone; }))
        continue;
      site.watch(*channels[i], channels[i]->core().commands,
                 [=, clock = channels[i]->clock(), source = next_source_++](const IssuedCommand& c) {
                   const TimeKey key{clock.edge(c.at), source};
                   add(key, counts[static_cast<std::size_t>(c.command)], 1);
                   if (c.command == Command::kActivate) add(key, open, 1);
                   if (c.command == Command::kPrecharge) add(key, open, -1);
                 });
    }
  }
  std::int32_t threads_of(const BlockOnSm& block) const {
    return static_cast<std::int32_t>(workload_->launches[block.command].kernel->threads_per_block());
  }

  void write_header() {
    std::string text = "$timescale 1 ps $end\n";
    for (const Signal& s : signals_) {
      std::size_t scopes = 0;
      for (std::size_t from = 0; from < s.scope.size(); ++scopes) {
        const std::size_t dot = std::min(s.scope.find('.', from), s.scope.size());
        text += "$scope module " + s.scope.substr(from, dot - from) + " $end\n";
        from = dot + 1;
      }
      text += fmt::format("$var wire {} {} {} $end\n", kBits, s.code, s.name);
      for (; scopes > 0; --scopes) text += "$upscope $end\n";
    }
    text += "$enddefinitions $end\n#0\n$dumpvars\n";
    for (const Signal& s : signals_) text += "b0 " + s.code + "\n";
    file_->write(text + "$end\n");
  }
  void take(Femtoseconds at, const Change& change) {
    if (at / kPicosecond != at_) write_changes();
    at_ = at / kPicosecond;
    signals_[change.signal].value += change.by;
    changed_.push_back(change.signal);
  }
  void write_changes() {
    text_.clear();
    for (const std::size_t number : changed_) {
      Signal& s = signals_[number];
      if (s.value == s.written) continue;
      // Time 0 is in the header.
      if (text_.size() == 0 && at_ > 0) fmt::format_to(std::back_inserter(text_), "#{}\n", at_);
      fmt::format_to(std::back_inserter(text_), "b{:b} {}\n", s.value, s.code);
      s.written = s.value;
    }
    changed_.clear();
    file_->write({text_.data(), text_.size()});
  }

  std::vector<std::string> patterns_;
  std::set<std::string> matched_;  ///< patterns that match a signal
  Clock clock_{1};
  const Workload* workload_ = nullptr;
  AtomicFile* file_ = nullptr;
  std::uint32_t next_source_ = 0;
  std::vector<Signal> signals_;
  std::uint64_t at_ = 0;              ///< time of the pending changes, in ps
  std::vector<std::size_t> changed_;  ///< signals to be written
  fmt::memory_buffer text_;
  TimeOrder<Change> order_{[this](Femtoseconds at, const Change& change) { take(at, change); }};
};

GPUTLM_REGISTER {
  add_probe<Waves>(
      "waves", "waves.vcd: chosen signals over time, for viewers of waveforms", 45, nullptr,
      Field{"--waves", "",
            "Signals of waves.vcd, separated by commas: sm_0.blocks, 'dram_*.open_rows' (docs/timeline.md)"});
}

}  // namespace
}  // namespace gputlm
