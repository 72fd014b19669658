/// Copies between host and device and within the device, compared with times on real GPUs: measured/copies.yaml.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "platform/experiments/silicon/measured.h"
#include "platform/input/map_form.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr Bytes kMibOfCopy = Bytes{1} << 20;
constexpr Address kCopied = 0x1'0000'0000, kCopyTo = 0x2'0000'0000;

struct CopyFact {
  std::string gpu, name;
  CopyKind kind = CopyKind::kHostToDevice;
  bool pageable = false;
  std::optional<double> gb_per_s = std::nullopt;
  Bytes bytes = 0;
  std::optional<double> ms = std::nullopt, ms_up_to = std::nullopt;

  std::string title() const { return gpu + ": " + name; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CopyFact;
    v.structure(&S::gpu, "gpu");
    v.structure(&S::name, "name");
    v.field(&S::kind, "kind", OneOf{"host_to_device", "device_to_host", "device_to_device", "memset"},
            "Direction of the copy");
    v.field(&S::pageable, "pageable", Flag{}, "Its host memory is not pinned");
    v.field(&S::gb_per_s, "gb_per_s", Real{0, 1e6, "GB/s"}, "At which it was made");
    v.field(&S::bytes, "bytes", Size{1, Bytes{1} << 40}, "Size of a copy whose time was measured");
    v.field(&S::ms, "ms", Real{0, 1e9, "ms"}, "That time");
    v.field(&S::ms_up_to, "ms_up_to", Real{0, 1e9, "ms"}, "The longest, where they differ");
  }
};

std::vector<CopyFact> copy_facts(std::string& place) {
  static const MapForm form = MapForm("copy").fields<CopyFact>();
  const YamlMap map(YamlNode::load_text(measured("copies"), measured_file("copies")), {"place", "gpus"});
  place = map.at("place").text();
  std::vector<CopyFact> facts;
  for (const auto& [gpu, rows] : map.at("gpus").entries()) {
    for (const auto& [name, node] : rows.entries()) {
      CopyFact& fact = facts.emplace_back(CopyFact{gpu, name});
      read_fields(form.read(node), fact);
      if (fact.ms && fact.bytes == 0) node.fail("has a time, but does not say of how many bytes");
    }
  }
  return facts;
}

Run run_of_copies(const CopyFact& fact, const std::vector<unsigned>& mib) {
  Run run{experiment_gpu(fact.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  ThreadSpec thread{"host", 0};
  Bytes before = 0;
  for (const unsigned size : mib) {
    CopyCommand copy;
    copy.label = fmt::format("copy {}", run.workload.copies.size());
    copy.kind = fact.kind;
    copy.pageable = fact.pageable;
    copy.bytes = size * kMibOfCopy;
    copy.from = fact.kind == CopyKind::kMemset ? 0 : kCopied + before;
    copy.to = kCopyTo + before;
    before += copy.bytes;
    thread.calls.push_back({HostCall::Kind::kCopy, 0, static_cast<std::uint32_t>(run.workload.copies.size())});
    run.workload.copies.push_back(std::move(copy));
  }
  run.workload.threads.push_back(std::move(thread));
  return run;
}

/// Bytes copied per second.
double rate_of_copies(const Run& run, const RunResult& result, const std::vector<unsigned>& mib) {
  std::vector<double> cycles(mib.size());
  for (const CopyRecord& copy : result.copies) cycles.at(copy.command) = static_cast<double>(copy.ended - copy.started);
  return static_cast<double>((mib.at(2) - mib.at(1)) * kMibOfCopy) / (cycles.at(2) - cycles.at(1)) *
         run.config.core_mhz * 1e6;
}

struct CopyFigure {
  Figure figure;
  std::string place;
};

/// `rate`: bytes copied per second.
std::vector<CopyFigure> figures_of_copies(const CopyFact& fact, double rate, const std::string& place) {
  std::vector<CopyFigure> figures;
  const auto figure = [&](const std::string& unit, const Published& silicon, double ours) {
    figures.push_back({{fmt::format("{} ({})", fact.title(), unit), silicon.quantity(), Quantity::number(ours, 1),
                        silicon.band(kSiliconMargin), ""},
                       silicon.place()});
  };
  if (fact.gb_per_s) figure("GB/s", {{*fact.gb_per_s}, {place}}, rate / 1e9);
  if (fact.ms) {
    Published silicon{{*fact.ms}, {place}};
    if (fact.ms_up_to) silicon.values.push_back(*fact.ms_up_to);
    figure(fmt::format("ms of {} MB", fact.bytes / 1'000'000), silicon, static_cast<double>(fact.bytes) / rate * 1e3);
  }
  const auto dram = fact.kind == CopyKind::kDeviceToDevice ? published(fact.gpu, "dram_bandwidth") : std::nullopt;
  if (dram) figure("GB/s read and written", *dram, 2 * rate / 1e9);
  return figures;
}

ExperimentReport copies(const Study& all, const ExperimentOptions& options) {
  std::string place;
  const std::vector<CopyFact> facts = copy_facts(place);
  const auto mib = [&](const CopyFact& fact) {
    return all.numbers(fact.kind == CopyKind::kDeviceToDevice || fact.kind == CopyKind::kMemset ? "within_mib"
                                                                                                : "host_mib");
  };
  RunSet<std::string> runs;
  for (const CopyFact& fact : facts) runs.add(fact.title(), run_of_copies(fact, mib(fact)));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  for (const CopyFact& fact : facts) {
    const double rate = rate_of_copies(runs.request(fact.title()), runs.result(fact.title()), mib(fact));
    for (const CopyFigure& f : figures_of_copies(fact, rate, place)) report.figures.push_back(f.figure);
  }
  return report;
}

std::vector<Measurement> measurements_of_copies() {
  std::string place;
  std::vector<Measurement> all;
  for (const CopyFact& fact : copy_facts(place)) {
    for (const CopyFigure& f : figures_of_copies(fact, 1, place))
      all.push_back({fact.gpu, f.figure.name, f.figure.paper, f.place});
  }
  return all;
}

GPUTLM_REGISTER {
  add_experiment("silicon/copies", copies, {"within_mib", "host_mib"});
  measurements().add({{"silicon/copies"}, measurements_of_copies});
}

}  // namespace
}  // namespace gputlm
