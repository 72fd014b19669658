#include "platform/input/workload_file_kernel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <vector>

#include "platform/input/nearest.h"
#include "platform/input/workload_limits.h"

namespace gputlm {
namespace {

Dim3 read_dimensions(const YamlNode& node, const std::array<std::uint64_t, 3>& most) {
  std::array<std::uint32_t, 3> size{1, 1, 1};
  if (node.is_list()) {
    const auto items = node.items();
    if (items.empty() || items.size() > 3)
      node.fail("found " + std::to_string(items.size()) + " dimensions, but 1 to 3 are allowed");
    for (std::size_t i = 0; i < items.size(); ++i)
      size[i] = static_cast<std::uint32_t>(items[i].unsigned_number(1, most[i]));
  } else {
    size[0] = static_cast<std::uint32_t>(node.unsigned_number(1, most[0]));
  }
  return {size[0], size[1], size[2]};
}

template <class T>
T read_or(const YamlMap& map, const std::string& key, T value, T least, T most) {
  const auto node = map.find(key);
  return node ? static_cast<T>(node->unsigned_number(least, most)) : value;
}

Bytes bytes_or(const YamlMap& map, const std::string& key, Bytes value, Bytes least, Bytes most) {
  const auto node = map.find(key);
  return node ? node->bytes(least, most) : value;
}

std::int64_t stride_or_0(const YamlMap& map, const std::string& key) {
  const auto node = map.find(key);
  return node ? node->signed_number(-static_cast<std::int64_t>(kMaxAddress),
                                    static_cast<std::int64_t>(kMaxAddress))
              : 0;
}

/// The keys of a pattern: those of its kind, and those of all.
YamlMap pattern_map(const YamlNode& node, std::vector<std::string> keys) {
  keys.insert(keys.begin(), {"kind", "base"});
  return {node, keys};
}

PatternShape read_coalesced(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"footprint"});
  return CoalescedPattern{bytes_or(map, "footprint", 0, 1, kMaxAddress)};
}

PatternShape read_strided(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"stride", "footprint"});
  map.at("stride");
  return StridedPattern{stride_or_0(map, "stride"), bytes_or(map, "footprint", 0, 1, kMaxAddress)};
}

PatternShape read_affine(const YamlNode& node) {
  const YamlMap map =
      pattern_map(node, {"lane_stride", "warp_stride", "block_stride", "iteration_stride", "footprint"});
  return AffinePattern{stride_or_0(map, "lane_stride"), stride_or_0(map, "warp_stride"),
                       stride_or_0(map, "block_stride"), stride_or_0(map, "iteration_stride"),
                       bytes_or(map, "footprint", 0, 1, kMaxAddress)};
}

PatternShape read_indexed(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"thread_x_stride", "thread_y_stride", "block_x_stride", "block_y_stride",
                                         "iteration_stride", "footprint"});
  return IndexedPattern{stride_or_0(map, "thread_x_stride"),  stride_or_0(map, "thread_y_stride"),
                        stride_or_0(map, "block_x_stride"),   stride_or_0(map, "block_y_stride"),
                        stride_or_0(map, "iteration_stride"), bytes_or(map, "footprint", 0, 1, kMaxAddress)};
}

PatternShape read_broadcast(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"iteration_stride"});
  return BroadcastPattern{stride_or_0(map, "iteration_stride")};
}

PatternShape read_random(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"footprint"});
  return RandomPattern{map.at("footprint").bytes(1, kMaxAddress)};
}

PatternShape read_set_conflict(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"cache_bytes", "ways", "line_bytes", "lines", "set"});
  SetConflictPattern pattern;
  pattern.cache_bytes = map.at("cache_bytes").bytes(1, Bytes{1} << 30);
  pattern.ways = static_cast<unsigned>(map.at("ways").unsigned_number(1, 1024));
  pattern.line_bytes = bytes_or(map, "line_bytes", kLineBytes, 1, Bytes{1} << 20);
  pattern.lines = read_or<unsigned>(map, "lines", 2 * pattern.ways, 1, 1u << 20);
  pattern.set = read_or<unsigned>(map, "set", 0, 0, 1u << 30);
  return pattern;
}

PatternShape read_reuse(const YamlNode& node) {
  const YamlMap map = pattern_map(node, {"bytes", "owner", "cold"});
  ReusePattern pattern;
  pattern.bytes = map.at("bytes").bytes(1, kMaxAddress);
  if (const auto owner = map.find("owner")) pattern.per_warp = owner->one_of({"block", "warp"}) == 1;
  if (const auto cold = map.find("cold")) pattern.cold = cold->number(0, 1);
  return pattern;
}

struct PatternKind {
  const char* name;
  PatternShape (*read)(const YamlNode&);
};
constexpr std::array<PatternKind, 8> kPatternKinds = {{{"coalesced", read_coalesced},
                                                       {"strided", read_strided},
                                                       {"affine", read_affine},
                                                       {"indexed", read_indexed},
                                                       {"broadcast", read_broadcast},
                                                       {"random", read_random},
                                                       {"set_conflict", read_set_conflict},
                                                       {"reuse", read_reuse}}};

struct PatternEntry {
  AddressPattern pattern;
  bool has_base;
};

const ManagedAllocation& named(const YamlNode& name, const std::vector<ManagedAllocation>& managed) {
  std::vector<std::string> names;
  for (const ManagedAllocation& allocation : managed) {
    if (allocation.name == name.text()) return allocation;
    names.push_back(allocation.name);
  }
  name.fail("no managed memory is named '" + name.text() + "'" + suggestion(name.text(), names));
}

PatternEntry read_pattern(const std::string& name, const YamlNode& node,
                          const std::vector<ManagedAllocation>& managed) {
  std::vector<std::string> kinds;
  kinds.reserve(kPatternKinds.size());
  for (const PatternKind& kind : kPatternKinds) kinds.emplace_back(kind.name);
  PatternEntry result{{name, 0, {}, node.line()}, false};
  std::optional<YamlNode> kind;
  std::optional<YamlNode> footprint;
  const ManagedAllocation* in = nullptr;
  for (const auto& [key, value] : node.entries()) {
    if (key == "kind") kind = value;
    if (key == "footprint") footprint = value;
    if (key != "base") continue;
    const std::string text = value.text();
    if (!text.empty() && std::isalpha(static_cast<unsigned char>(text[0]))) in = &named(value, managed);
    result.pattern.base = in ? in->address : value.bytes(0, kMaxAddress);
    result.has_base = true;
  }
  if (!kind) node.fail("key 'kind' is missing" + suggestion("", kinds));
  result.pattern.shape = kPatternKinds[kind->one_of(kinds)].read(node);
  if (in && footprint && footprint->bytes(1, kMaxAddress) > in->bytes)
    footprint->fail("found " + footprint->text() + ", but '" + in->name + "' has " + std::to_string(in->bytes) +
                    " bytes");
  return result;
}

/// Reads the elements of a program. Which patterns only shared memory uses is noted for their default base.
class ProgramReader {
 public:
  explicit ProgramReader(const std::vector<AddressPattern>& patterns) : global_(patterns.size(), false) {
    for (const AddressPattern& pattern : patterns) names_.push_back(pattern.name);
  }

  std::vector<ProgramElement> body(const YamlNode& node) {
    std::vector<ProgramElement> elements;
    for (const YamlNode& item : node.items()) elements.push_back(element(item));
    if (elements.empty()) node.fail("the list is empty, but at least one element is needed");
    return elements;
  }

  /// Whether pattern `index` is used by other than shared memory.
  bool global(std::size_t index) const { return global_[index]; }

 private:
  ProgramElement element(const YamlNode& item) {
    static const std::vector<std::string> kNames = {"fp32",  "int",    "fp64",    "sfu",  "tensor", "control", "load",
                                                    "store", "atomic", "barrier", "spin", "loop",   "warps",   "work"};
    static constexpr std::array<Pipe, 6> kPipe = {Pipe::kFp32, Pipe::kInt,    Pipe::kFp64,
                                                  Pipe::kSfu,  Pipe::kTensor, Pipe::kControl};
    static constexpr std::size_t kLoad = 6, kBarrier = 9, kSpin = 10, kLoop = 11, kWarps = 12;
    if (item.is_scalar()) {  // just a name
      const std::size_t which = item.one_of(kNames);
      if (which < kLoad) return {ArithmeticElement{kPipe[which], {}, 1}, item.line()};
      if (which == kBarrier) return {BarrierElement{}, item.line()};
      item.fail("'" + kNames[which] + "' needs a value");
    }
    const auto [name, value] = item.only_entry();
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) item.fail("unknown instruction '" + name + "'" + suggestion(name, kNames));
    const auto which = static_cast<std::size_t>(found - kNames.begin());
    if (which < kLoad) return {arithmetic(kPipe[which], value), item.line()};
    if (which < kBarrier)
      return {memory(static_cast<Op>(static_cast<std::size_t>(Op::kLoad) + which - kLoad), value), item.line()};
    if (which == kBarrier)
      return {BarrierElement{static_cast<std::uint32_t>(value.unsigned_number(0, kBarriers - 1))}, item.line()};
    if (which == kSpin) return {spin_for(value), item.line()};
    if (which == kLoop) return {loop_of(value), item.line()};
    if (which == kWarps) return {warps_of(value), item.line()};
    return {work_of(value), item.line()};
  }

  static ArithmeticElement arithmetic(Pipe pipe, const YamlNode& node) {
    ArithmeticElement element;
    element.pipe = pipe;
    if (node.is_null()) return element;
    if (node.is_scalar()) {
      element.count = static_cast<std::uint32_t>(node.unsigned_number(1, kMaxCodeLength));
      return element;
    }
    const YamlMap map(node, {"dst", "src", "distance", "count"});
    element.registers = registers(map);
    element.count = read_or<std::uint32_t>(map, "count", 1, 1, kMaxCodeLength);
    return element;
  }

  static Registers registers(const YamlMap& map) {
    Registers result;
    const auto number = [](const YamlNode& node) {
      return static_cast<std::uint8_t>(node.unsigned_number(0, kNoRegister - 1));
    };
    if (const auto destination = map.find("dst")) result.destination = number(*destination);
    if (const auto sources = map.find("src")) {
      if (sources->is_list()) {
        for (const YamlNode& source : sources->items()) result.sources.push_back(number(source));
      } else {
        result.sources.push_back(number(*sources));
      }
      if (result.sources.size() > kMaxSources)
        sources->fail("found " + std::to_string(result.sources.size()) + " registers, but at most " +
                      std::to_string(kMaxSources) + " are allowed");
    }
    result.distance = read_or<std::uint32_t>(map, "distance", 0, 0, kMaxDistance);
    if (result.named() && result.distance > 0)
      map.at("distance").fail("found together with dst or src, but only one of the two forms is allowed");
    return result;
  }

  MemoryElement memory(Op op, const YamlNode& node) {
    static const std::vector<std::string> kSpaces = {"global", "local", "shared", "constant"};
    MemoryElement element;
    element.op = op;
    std::optional<YamlNode> pattern = node;
    if (!node.is_scalar()) {
      const YamlMap map(node, {"pattern", "width", "space", "offset", "dst", "src", "distance"});
      pattern = map.at("pattern");
      element.registers = registers(map);
      if (const auto space = map.find("space")) element.space = static_cast<Space>(space->one_of(kSpaces));
      if (const auto width = map.find("width"))
        element.width = static_cast<std::uint8_t>(1u << width->one_of({"1", "2", "4", "8", "16"}));
      element.offset = stride_or_0(map, "offset");
    }
    const std::string name = pattern->text();
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      pattern->fail("no address pattern of this kernel is named '" + name + "'" + suggestion(name, names_));
    if (element.space != Space::kShared) global_[static_cast<std::size_t>(found - names_.begin())] = true;
    element.pattern = name;
    return element;
  }

  static SpinElement spin_for(const YamlNode& node) {
    const YamlMap map(node, {"ns", "us", "ns_per_sm", "us_per_sm"});
    const auto time = [&](const std::string& suffix, double longest_us) -> Femtoseconds {
      const auto us = map.find("us" + suffix), ns = map.find("ns" + suffix);
      if (us && ns) ns->fail("found together with us" + suffix + ", but only one of the two is allowed");
      if (us) return static_cast<Femtoseconds>(std::llround(us->number(0, longest_us) * 1e9));
      return ns ? static_cast<Femtoseconds>(std::llround(ns->number(0, longest_us * 1e3) * 1e6)) : 0;
    };
    const SpinElement element{time("", kMaxSpinUs), time("_per_sm", kMaxSpinPerSmUs)};
    if (element.time == 0 && element.per_sm == 0) node.fail("the time is 0, but must be positive");
    return element;
  }

  LoopElement loop_of(const YamlNode& node) {
    const YamlMap map(node, {"count", "varies", "body"});
    LoopElement element;
    element.count = static_cast<std::uint32_t>(map.at("count").unsigned_number(1, kMaxIterations));
    if (const auto varies = map.find("varies")) element.varies = varies->boolean();
    element.body = body(map.at("body"));
    return element;
  }

  WarpsElement warps_of(const YamlNode& node) {
    const YamlMap map(node, {"first", "last", "body"});
    constexpr std::uint64_t kMax = kMaxThreadsPerBlock / kWarpSize - 1;
    WarpsElement element;
    element.first = read_or<std::uint32_t>(map, "first", 0, 0, kMax);
    if (const auto last = map.find("last")) {
      element.last = static_cast<std::uint32_t>(last->unsigned_number(element.first, kMax));
    }
    element.body = body(map.at("body"));
    return element;
  }

  WorkElement work_of(const YamlNode& node) {
    const YamlMap map(node, {"units", "schedule", "body"});
    WorkElement element;
    element.units = read_grid(map.at("units"));
    if (const auto schedule = map.find("schedule"))
      element.schedule = static_cast<WorkElement::Schedule>(schedule->one_of({"dynamic", "static"}));
    element.body = body(map.at("body"));
    return element;
  }

  std::vector<std::string> names_;
  std::vector<bool> global_;
};

Variation read_variation(const YamlNode& node) {
  const YamlMap map(node, {"spread", "distribution"});
  Variation variation;
  variation.line = node.line();
  variation.spread = map.at("spread").number(0, 1);
  if (const auto distribution = map.find("distribution"))
    variation.distribution =
        static_cast<Variation::Distribution>(distribution->one_of({"uniform", "normal", "exponential", "few_long"}));
  return variation;
}

}  // namespace

Dim3 read_grid(const YamlNode& node) { return read_dimensions(node, kMaxBlocks); }

Dim3 read_block(const YamlNode& node) {
  const Dim3 block = read_dimensions(node, kMaxThreads);
  if (block.count() > kMaxThreadsPerBlock)
    node.fail("found " + std::to_string(block.count()) + " threads, but at most " +
              std::to_string(kMaxThreadsPerBlock) + " are allowed in a block");
  return block;
}

ProgramSpec read_kernel(const std::string& name, const YamlNode& node, FreshAddresses& addresses,
                        const std::vector<ManagedAllocation>& managed) {
  const YamlMap map(node, {"grid", "block", "registers", "shared_memory", "variation", "patterns", "program"});
  ProgramSpec spec;
  spec.name = name;
  spec.file = node.file();
  spec.line = node.line();
  const YamlNode grid = map.at("grid");
  spec.grid = read_grid(grid);
  if (spec.grid.count() > kMaxIterations)
    grid.fail("found " + std::to_string(spec.grid.count()) + " blocks, but at most 2^32 - 1 are allowed");
  spec.block = read_block(map.at("block"));
  spec.registers_per_thread = read_or<std::uint32_t>(map, "registers", 32, 0, kNoRegister);
  spec.shared_memory = bytes_or(map, "shared_memory", 0, 0, kMaxSharedMemory);
  if (const auto variation = map.find("variation")) spec.variation = read_variation(*variation);

  std::vector<bool> has_base;
  if (const auto patterns = map.find("patterns")) {
    for (const auto& [pattern_name, pattern] : patterns->entries()) {
      PatternEntry entry = read_pattern(pattern_name, pattern, managed);
      spec.patterns.push_back(std::move(entry.pattern));
      has_base.push_back(entry.has_base);
    }
  }
  ProgramReader reader(spec.patterns);
  spec.body = reader.body(map.at("program"));
  for (std::size_t i = 0; i < spec.patterns.size(); ++i) {
    if (has_base[i] || !reader.global(i)) continue;
    spec.patterns[i].base = addresses.take(map.at("patterns"), 1);
  }
  for (ProgramElement& element : spec.body) {
    if (auto* work = std::get_if<WorkElement>(&element.what))
      work->counters = addresses.take(map.at("program"), spec.grid.count() * WorkElement::kBytesOfACounter);
  }
  return spec;
}

}  // namespace gputlm
