/// Rows of measured/corun.yaml: measurements of two kernels that others ran on a GPU alone, one after the other and together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

/// A kernel as described by a row.
struct CorunKernel {
  enum class Kind : std::uint8_t { kCopy, kRead, kWrite, kSleep, kFp32, kFp64 };
  Kind kind = Kind::kCopy;
  std::uint32_t grid = 0, block = 0;
  Femtoseconds sleep = 0;
  std::uint32_t ilp = 1;
  std::uint64_t iterations = 0;
  Bytes bytes = 0;
  Bytes apart = 0;
  std::uint64_t sweeps = 0;
  std::uint32_t unrolled = 4;
  std::uint32_t step = 6;

  bool moves() const { return kind <= Kind::kWrite; }
  bool reads() const { return kind == Kind::kCopy || kind == Kind::kRead; }
  bool writes() const { return kind == Kind::kCopy || kind == Kind::kWrite; }
  bool sleeps() const { return kind == Kind::kSleep; }
  /// The unit of its time: sweeps, iterations, or the whole kernel.
  std::uint64_t units() const { return moves() ? sweeps : sleeps() ? 1 : iterations; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CorunKernel;
    v.field(
        &S::kind, "kernel", OneOf{"copy", "read", "write", "sleep", "fp32", "fp64"},
        "out[i] = in[i], a warp's load behind its store before; a sum of in[i]; out[i] = 0; blocks that sleep; chains "
        "of multiplications");
    v.field(&S::grid, "grid", Whole{1, 1u << 20, "blocks"}, "How many");
    v.field(&S::block, "block", Whole{1, 1024, "threads"}, "Threads of a block");
    v.field(&S::sleep, "sleep_us", Microseconds{0, 1e9}, "That a block sleeps");
    v.field(&S::ilp, "ilp", Whole{1, 32, "chains"}, "Chains of a thread");
    v.field(&S::iterations, "iterations", Whole{1, 1u << 31, "iterations"},
            "Iterations of the chains: an operation of each");
    v.field(&S::bytes, "bytes", Size{4, Bytes{1} << 40}, "That a sweep reads, writes, or reads and writes elsewhere");
    v.field(&S::apart, "apart", Size{4, Bytes{1} << 40}, "`bytes` are each block's, so far apart; default: the grid's");
    v.field(&S::sweeps, "sweeps", Whole{1, 1u << 31, "sweeps"}, "Over the same bytes");
    v.field(&S::unrolled, "unrolled", Whole{1, 64, "iterations"}, "Iterations of chains until the branch back");
    v.field(&S::step, "step", Whole{6, 32, "instructions"},
            "Instructions of a copy of an element: loads and stores, addresses, the loop");
  }
};

/// The measured values, as far as available. Times cover all blocks of both kernels.
struct CorunMeasured {
  std::optional<double> alone_ms, beside_alone_ms, sequential_ms, together_ms;
  std::optional<double> alone_gb_per_s, together_gb_per_s;
  std::optional<double> slowdown;
  double undisturbed = 1;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CorunMeasured;
    v.field(&S::alone_ms, "alone_ms", Real{0, 1e9, "ms"}, "The first alone");
    v.field(&S::beside_alone_ms, "beside_alone_ms", Real{0, 1e9, "ms"}, "The second alone");
    v.field(&S::sequential_ms, "sequential_ms", Real{0, 1e9, "ms"}, "One after the other");
    v.field(&S::together_ms, "together_ms", Real{0, 1e9, "ms"}, "Beside each other, until both have ended");
    v.field(&S::alone_gb_per_s, "alone_gb_per_s", Real{0, 1e6, "GB/s"},
            "Bandwidth of reads and writes, the first alone");
    v.field(&S::together_gb_per_s, "together_gb_per_s", Real{0, 1e6, "GB/s"}, "Bandwidth of both beside each other");
    v.field(&S::slowdown, "slowdown", Real{0, 1e6, kPlain}, "Slowdown of the first while the second runs without end");
    v.field(&S::undisturbed, "undisturbed", Real{0, 10, kPlain},
            "The source's slowdown without disturbance: its clock rose while it measured alone");
  }
};

struct CorunRow {
  /// The SMs that the two kernels may use.
  enum class Sms : std::uint8_t { kAll, kHalves };

  std::string group, name;
  std::string gpu;  ///< a preset
  std::string source;
  std::string place;  ///< its place in the source
  Sms sms = Sms::kAll;
  CorunKernel first;
  CorunKernel second;  ///< equal to the first, unless the row says `beside`
  bool same = true;    ///< the two are equal
  CorunMeasured measured;

  std::string title() const { return group + ", " + name; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CorunRow;
    v.structure(&S::group, "group");
    v.structure(&S::name, "name");
    v.field(&S::gpu, "gpu", Text{}, "Preset; default that of the file");
    v.field(&S::source, "source", Text{}, "Who measured it; default that of the file");
    v.field(&S::place, "place", Text{}, "Where it stands in the source");
    v.field(&S::sms, "sms", OneOf{"all", "halves"}, "That each may use: all, or a half of its own");
    v.part(&S::first);
    v.structure(&S::second, "beside");
    v.structure(&S::same, "same");
    v.part(&S::measured);
  }
};

/// Throws InputError, with file and line, for YAML of another form than measured/corun.yaml.
std::vector<CorunRow> corun_rows(const std::string& yaml, const std::string& file);

}  // namespace gputlm
