#include "platform/lab/demand_program.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gputlm {
namespace {

constexpr unsigned kLoadsAPass = 16, kRegistersAPass = 32;
constexpr unsigned kInstructionsAPass = 256;  // number of instructions, without loads
constexpr Bytes kPlace = Bytes{2} << 20;
constexpr std::uint8_t kNear = 3, kFirstLoaded = 4, kSharedValue = 62;
constexpr std::uint32_t kDistance = 4;  // distance of dependent arithmetic, as compilers unroll

double known(const KernelDemand::Count& count, double otherwise) { return count.value_or(otherwise); }

/// Whether this place belongs to an evenly distributed share of a run of places.
bool among(std::uint64_t place, double share) {
  constexpr double kGolden = 0.6180339887498949;
  const double at = static_cast<double>(place + 1) * kGolden;
  return at - std::floor(at) < share;
}

std::uint8_t width_of(unsigned sectors) {
  if (sectors <= 16 && (sectors & (sectors - 1)) == 0) return static_cast<std::uint8_t>(sectors);
  return sectors % 4 == 0 ? 4 : sectors % 2 == 0 ? 2 : 1;
}
/// Stores write whole sectors, otherwise the L2 would have to fetch the rest.
unsigned stored_sectors(unsigned sectors) {
  unsigned most = 1;
  while (most < 16 && 2 * most <= sectors) most *= 2;
  return most;
}

Bytes access_bytes(unsigned sectors) { return Bytes{sectors} * kSectorBytes; }
Bytes rounded_up(Bytes bytes, Bytes to) { return (bytes + to - 1) / to * to; }

}  // namespace

DemandProgram::DemandProgram(const ProgramSpec& like, const KernelDemand& demand, const GpuConfig& gpu, Address base)
    : like_(like) {
  like_.body.clear();
  like_.patterns.clear();
  like_.demand.reset();
  like_.variation = {};
  const auto threads = static_cast<std::uint32_t>(like.block.count());
  warps_of_block_ = (threads + kWarpSize - 1) / kWarpSize;
  warps_ = static_cast<double>(like.grid.count()) * warps_of_block_;
  divide_sectors(demand, gpu);
  divide_instructions(demand);
  choose_passes();
  place(base);
}

void DemandProgram::divide_sectors(const KernelDemand& demand, const GpuConfig& gpu) {
  const double writes = known(demand.l2_write_sectors, 0);
  const double l1 = known(demand.l1_sectors, known(demand.l2_read_sectors, 0) + writes);
  const double reads = known(demand.l2_read_sectors, std::max(0.0, l1 * (1 - known(demand.l1_hit_rate, 0)) - writes));
  // What the L1 does not request from the L2 hits, or is already in flight.
  const double l1_hits = demand.l1_hit_rate.value_or(1) > 0 ? std::max(0.0, l1 - reads - writes) : 0;
  const double misses = demand.l2_hit_rate ? (1 - *demand.l2_hit_rate) * (reads + writes) : reads;
  const double dram =
      std::min(reads, demand.dram_read_bytes ? *demand.dram_read_bytes / static_cast<double>(kSectorBytes) : misses);
  const double shared = divide_accesses(demand, l1_hits + reads + writes);

  // Each warp rereads a place of its own in the L1, which is cold at first; if it reads too little for that, all warps of a
  // block reread a common one.
  const double a_load = sectors_ * warps_;
  const bool of_warp = a_load <= reads;
  const double cold =
      l1_hits > 0 ? std::min(reads, of_warp ? a_load : sectors_ * static_cast<double>(like_.grid.count())) : 0;
  // What is reread in the L2: each of these sectors also comes from DRAM once.
  double again = reads - dram;
  double reused = 0;
  if (again > 0) {
    const Bytes fit = gpu.l2.bytes / 4 / kSectorBytes;
    reused =
        std::min(known(demand.l2_reused_sectors, static_cast<double>(fit)), std::max<double>(dram - cold, sectors_));
    again += std::min(dram - std::min(dram, cold), reused);
  }
  const double stream = std::max(0.0, reads - cold - again);
  const auto add = [&](const char* name, double accesses) -> Accesses& {
    Accesses& added = accesses_.emplace_back();
    added.name = name;
    added.exact = accesses;
    return added;
  };
  if (stream > 0) add("stream", stream / a_load);
  if (again > 0) {
    const Bytes access = access_bytes(sectors_);
    add("again", again / a_load).footprint =
        std::max(access, static_cast<Bytes>(reused) * kSectorBytes / access * access);
  }
  if (l1_hits > 0) add("near", (l1_hits + cold) / a_load).near = of_warp ? Near::kWarp : Near::kBlock;
  if (writes > 0) {
    const unsigned sectors = stored_sectors(sectors_);
    Accesses& out = add("out", writes / (sectors * warps_));
    out.store = true;
    const double distinct = distinct_writes(demand, reads - dram, gpu);
    if (distinct < writes)
      out.footprint = rounded_up(static_cast<Bytes>(distinct) * kSectorBytes + 1, access_bytes(sectors));
  }
  if (shared > 0) add_shared(shared, std::max(1.0, *demand.shared_wavefronts / shared));
}

/// Sectors that are written once each. Hits were present before. NVIDIA's profilers count all writes as hits; then it is what
/// was written to DRAM plus what may have stayed in the L2.
double DemandProgram::distinct_writes(const KernelDemand& demand, double read_hits, const GpuConfig& gpu) {
  const double writes = *demand.l2_write_sectors;
  const double hits = known(demand.l2_hit_rate, 1) * (known(demand.l2_read_sectors, 0) + writes) - read_hits;
  const double written = known(demand.dram_write_bytes, writes * static_cast<double>(kSectorBytes));
  const double most = (written + static_cast<double>(gpu.l2.bytes)) / static_cast<double>(kSectorBytes);
  const bool told = hits < 0.95 * writes || written < 0.05 * writes * static_cast<double>(kSectorBytes);
  return std::min({writes, told ? writes - std::max(0.0, hits) : writes, most});
}

/// The load/store unit executes accesses of global and of shared memory, which are not counted separately. Returns the number
/// of shared accesses; if all could be coalesced words, accesses of global memory are.
double DemandProgram::divide_accesses(const KernelDemand& demand, double global_sectors) {
  const double wavefronts = known(demand.shared_wavefronts, 0);
  if (!demand.of_pipe.load_store) return wavefronts;
  const double all = *demand.of_pipe.load_store;
  double shared = 0;
  if (wavefronts > 0) {
    const double coalesced = global_sectors / 4;
    shared = std::min(wavefronts, coalesced < all ? all - coalesced : all / 2);
  }
  const double global = all - shared;
  if (global > 0)
    sectors_ = static_cast<unsigned>(std::clamp(std::round(global_sectors / global), 1.0, double{kWarpSize}));
  return shared;
}

/// Accesses of shared memory that take `wavefronts` cycles on average: lanes that are a power of two of words apart.
void DemandProgram::add_shared(double accesses, double wavefronts) {
  unsigned ways = 1;
  while (ways < kWarpSize && 2 * ways <= wavefronts) ways *= 2;
  const double more = std::min(1.0, (wavefronts - ways) / ways);
  for (const auto& [name, part, apart] :
       {std::tuple{"shared", 1 - more, ways}, std::tuple{"conflicts", more, 2 * ways}}) {
    if (part < 0.01 || apart > kWarpSize) continue;
    Accesses& added = accesses_.emplace_back();
    added.name = name;
    added.space = Space::kShared;
    added.exact = accesses * part / warps_;
    added.words_apart = apart;
    like_.shared_memory = std::max<Bytes>(like_.shared_memory, kWarpSize * 4 * apart);
  }
}

void DemandProgram::divide_instructions(const KernelDemand& demand) {
  double others = warps_;  // instructions of all pipes but the integer one; includes each warp's exit
  for (const Accesses& accesses : accesses_) others += accesses.exact * warps_;
  for (std::size_t p = 0; p < kPipes; ++p) {
    const auto pipe = static_cast<Pipe>(p);
    if (pipe == Pipe::kLoadStore || pipe == Pipe::kInt) continue;
    double count = known(demand.of_pipe[p], 0);
    if (pipe == Pipe::kControl) count = std::max(0.0, count - warps_);
    others += count;
    if (count > 0) work_.push_back({pipe, count / warps_});
  }
  const double rest = std::max(0.0, known(demand.instructions, 0) - others);
  const double integer = known(demand.of_pipe.integer, rest);
  if (integer > 0) work_.push_back({Pipe::kInt, integer / warps_});
}

void DemandProgram::choose_passes() {
  std::uint64_t loads = 0, all = 0;
  for (Accesses& accesses : accesses_) {
    accesses.all = static_cast<std::uint64_t>(accesses.exact + 1e-9);
    if (accesses.near != Near::kNone && accesses.all > 0) {
      --accesses.all;  // the access at the beginning of the program
      accesses.exact -= 1;
    }
    if (!accesses.store && accesses.space == Space::kGlobal) loads += accesses.all;
  }
  for (Work& work : work_) {
    work.all = static_cast<std::uint64_t>(work.exact + 1e-9);
    all += work.all;
  }
  const unsigned registers = width_of(sectors_) == 16 ? 4 : width_of(sectors_) == 8 ? 2 : 1;
  const std::uint64_t most = std::min(kLoadsAPass, kRegistersAPass / registers);
  const std::uint64_t least = std::max<std::uint64_t>(
      1, loads > 0 ? (loads + most - 1) / most : (all + kInstructionsAPass - 1) / kInstructionsAPass);
  // The number of passes with the smallest remainder.
  double least_rest = 0;
  for (std::uint64_t passes = least; passes <= 2 * least; ++passes) {
    double rest = 0;
    for (const Accesses& accesses : accesses_)
      if (accesses.all > 0) rest += static_cast<double>(accesses.all % passes) / static_cast<double>(accesses.all);
    if (passes > least && rest >= least_rest) continue;
    least_rest = rest;
    passes_ = passes;
  }
  for (Accesses& accesses : accesses_) accesses.a_pass = accesses.all / passes_;
  for (Work& work : work_) work.a_pass = work.all / passes_;
}

Bytes DemandProgram::span(const Accesses& accesses, std::uint64_t count) const {
  const Bytes access = access_bytes(accesses.store ? stored_sectors(sectors_) : sectors_);
  if (accesses.near != Near::kNone) return access * static_cast<Bytes>(warps_);
  return accesses.footprint > 0 ? accesses.footprint : access * static_cast<Bytes>(warps_) * count;
}

void DemandProgram::place(Address base) {
  for (const Accesses& accesses : accesses_) {
    bases_.push_back(accesses.space == Space::kShared ? 0 : base);
    if (accesses.space != Space::kShared) base = rounded_up(base + span(accesses, accesses.all + 1), kPlace);
  }
  end_ = base;
}

std::uint64_t DemandProgram::loads_a_pass() const {
  std::uint64_t loads = 0;
  for (const Accesses& accesses : accesses_)
    if (!accesses.store && accesses.space == Space::kGlobal) loads += accesses.a_pass;
  return loads;
}

/// The address pattern of access number `slot` of `slots` consecutive ones in a loop of `count` iterations.
AddressPattern DemandProgram::pattern(const Accesses& accesses, const std::string& name, Address base,
                                      std::uint64_t count, std::uint64_t slot, std::uint64_t slots) const {
  AffinePattern shape;
  if (accesses.space == Space::kShared) {
    const unsigned access = static_cast<unsigned>(kWarpSize) * 4 * accesses.words_apart;
    shape.lane_stride = 4 * accesses.words_apart;
    shape.warp_stride = access;
    shape.footprint = like_.shared_memory / access * access;
    return {name, 0, shape};
  }
  const unsigned sectors = accesses.store ? stored_sectors(sectors_) : sectors_;
  const Bytes access = access_bytes(sectors);
  shape.lane_stride = sectors;
  shape.block_stride = static_cast<std::int64_t>(access) * warps_of_block_;
  if (accesses.near == Near::kBlock) return {name, base, shape};
  shape.warp_stride = static_cast<std::int64_t>(access);
  if (accesses.near == Near::kWarp) return {name, base, shape};
  if (accesses.footprint == 0) {
    shape.iteration_stride = shape.warp_stride * static_cast<std::int64_t>(warps_);
    return {name, base + slot * count * access * static_cast<Bytes>(warps_), shape};
  }
  // Blocks begin far apart and sweep all of it: otherwise the L1 would hold it, or it would be in flight for another block.
  const Bytes step = access * warps_of_block_, ahead = step * (slots - 1);
  shape.footprint = std::max(access, accesses.footprint - std::min(accesses.footprint, ahead));
  const Bytes places = shape.footprint / access;
  shape.block_stride = static_cast<std::int64_t>(access * static_cast<Bytes>(0.618 * static_cast<double>(places)));
  shape.iteration_stride = static_cast<std::int64_t>(step * slots);
  return {name, base + step * slot, shape};
}

std::vector<ProgramElement> DemandProgram::pass(double hidden, std::vector<AddressPattern>& patterns) const {
  struct Place {
    double at;
    std::size_t of;
    std::uint64_t slot;
  };
  std::vector<Place> places;
  for (std::size_t a = 0; a < accesses_.size(); ++a) {
    for (std::uint64_t slot = 0; slot < accesses_[a].a_pass; ++slot)
      places.push_back({(static_cast<double>(slot) + 0.5) / static_cast<double>(accesses_[a].a_pass), a, slot});
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at < b.at; });

  std::vector<ProgramElement> body;
  const std::uint64_t loads = loads_a_pass(), gaps = std::max<std::size_t>(1, places.size());
  const std::uint8_t width = width_of(sectors_);
  const auto value = [&](std::uint64_t load) {
    return static_cast<std::uint8_t>(kFirstLoaded + load % loads * std::max(1, width / 4));
  };
  const bool barrier = std::any_of(accesses_.begin(), accesses_.end(), [](const Accesses& accesses) {
    return accesses.space == Space::kShared && accesses.a_pass > 0;
  });
  // The last control instruction branches back, the one before it may be a barrier.
  const auto of_gap = [&](const Work& work, std::uint64_t gap) {
    std::uint64_t count = work.a_pass;
    if (work.pipe == Pipe::kControl) count -= std::min<std::uint64_t>(count, barrier ? 2 : 1);
    return count * (gap + 1) / gaps - count * gap / gaps;
  };
  const auto arithmetic = [&](std::uint64_t gap, std::optional<std::uint8_t> used) {
    for (const Work& work : work_) {
      std::uint64_t count = of_gap(work, gap);
      if (count == 0) continue;
      if (used && work.pipe != Pipe::kControl) {
        body.push_back(instruction(work.pipe, std::nullopt, {*used}));
        used.reset();
        if (--count == 0) continue;
      }
      const bool waits = hidden < 0 && among(gap, -hidden), free = loads == 0 && hidden > 0 && among(gap, hidden);
      std::uint64_t in_body = 0;
      for (std::uint64_t g = 0; g < gaps; ++g) in_body += of_gap(work, g);
      const std::uint64_t distance = free || work.pipe == Pipe::kControl ? 0 : waits ? 1 : kDistance;
      // Instructions that use loaded values do not count.
      const std::uint64_t counted = in_body > loads ? in_body - loads : 1;
      body.push_back(instructions(work.pipe, static_cast<std::uint32_t>(count),
                                  static_cast<std::uint32_t>(std::min(distance, counted))));
    }
  };
  std::uint64_t load_number = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const Accesses& accesses = accesses_[places[p].of];
    const std::string name = accesses.name + "_" + std::to_string(places[p].slot);
    patterns.push_back(pattern(accesses, name, bases_[places[p].of], passes_, places[p].slot, accesses.a_pass));
    std::optional<std::uint8_t> used;
    if (accesses.store) {
      body.push_back(store(name, width_of(stored_sectors(sectors_))));
    } else if (accesses.space == Space::kShared) {
      if (hidden < 0 && among(p, -hidden)) used = kSharedValue;
      body.push_back(load(name, 4, used, {}, Space::kShared));
    } else {
      const double ahead = std::max(1.0, hidden);
      const auto before = static_cast<std::uint64_t>(ahead) + (among(load_number, ahead - std::floor(ahead)) ? 1 : 0);
      std::vector<std::uint8_t> waits_for;
      if (accesses.near != Near::kNone) waits_for.push_back(kNear);
      if (before < loads)
        waits_for.push_back(value(load_number + loads - before));  // otherwise they have the same register
      body.push_back(load(name, width, value(load_number), std::move(waits_for)));
      if (hidden < 1 && among(load_number, 1 - std::max(0.0, hidden))) used = value(load_number);
      ++load_number;
    }
    arithmetic(p, used);
  }
  if (places.empty()) arithmetic(0, std::nullopt);
  for (const Work& work : work_) {
    if (work.pipe != Pipe::kControl || work.a_pass == 0) continue;
    if (barrier && work.a_pass > 1) body.push_back({BarrierElement{}});
    body.push_back(instructions(Pipe::kControl, 1));
  }
  return body;
}

/// Behind the loop: the remainder that its passes do not cover; of the rest, some of each block's warps do one more.
void DemandProgram::add_rest(ProgramSpec& spec) const {
  const auto element = [&](const Accesses& accesses, const std::string& name) {
    if (accesses.store) return store(name, width_of(stored_sectors(sectors_)));
    if (accesses.space == Space::kShared) return load(name, 4, std::nullopt, {}, Space::kShared);
    return load(name, width_of(sectors_), std::nullopt,
                accesses.near != Near::kNone ? std::vector<std::uint8_t>{kNear} : std::vector<std::uint8_t>{});
  };
  const auto more = [&](double exact, std::uint64_t all) {
    return static_cast<std::uint32_t>(std::lround((exact - static_cast<double>(all)) * warps_of_block_));
  };
  const auto add = [&](std::uint32_t warps, ProgramElement what) {
    if (warps >= warps_of_block_)
      spec.body.push_back(std::move(what));
    else if (warps > 0)
      spec.body.push_back({WarpsElement{0, warps - 1, {std::move(what)}}});
  };
  for (std::size_t a = 0; a < accesses_.size(); ++a) {
    const Accesses& accesses = accesses_[a];
    const std::uint64_t rest = accesses.rest(passes_);
    const auto at = [&](std::uint64_t done) {  // behind what was accessed before
      return accesses.footprint > 0 || accesses.near != Near::kNone || accesses.space == Space::kShared
                 ? bases_[a]
                 : bases_[a] + span(accesses, done);
    };
    if (rest > 0) {
      const std::string name = accesses.name + "_rest";
      spec.patterns.push_back(pattern(accesses, name, at(accesses.a_pass * passes_), rest, 0, 1));
      spec.body.push_back(loop(static_cast<std::uint32_t>(rest), {element(accesses, name)}));
    }
    if (const std::uint32_t warps = more(accesses.exact, accesses.all); warps > 0) {
      const std::string name = accesses.name + "_last";
      spec.patterns.push_back(pattern(accesses, name, at(accesses.all), 1, 0, 1));
      add(warps, element(accesses, name));
    }
  }
  for (const Work& work : work_) {
    const std::uint64_t rest = work.all - work.a_pass * passes_;
    if (rest > 0) spec.body.push_back(instructions(work.pipe, static_cast<std::uint32_t>(rest)));
    add(more(work.exact, work.all), instructions(work.pipe, 1));
  }
}

ProgramSpec DemandProgram::program(double hidden) const {
  ProgramSpec spec = like_;
  for (std::size_t a = 0; a < accesses_.size(); ++a) {
    if (accesses_[a].near == Near::kNone) continue;
    // The data that the warp has in the L1 comes first: data in flight would miss again.
    spec.patterns.push_back(pattern(accesses_[a], "near_first", bases_[a], 1, 0, 1));
    spec.body.push_back(load("near_first", width_of(sectors_), kNear));
  }
  std::vector<ProgramElement> body = pass(hidden, spec.patterns);
  if (!body.empty()) spec.body.push_back(loop(static_cast<std::uint32_t>(passes_), std::move(body)));
  add_rest(spec);
  return spec;
}

}  // namespace gputlm
