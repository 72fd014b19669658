#include "platform/input/criticality_form.h"

#include <algorithm>
#include <variant>

#include "models/host/arrivals.h"
#include "models/kernel/program_kernel.h"
#include "models/kernel/random.h"

namespace gputlm {
namespace {

using schema::Json;

constexpr const char *kWcet = "wcet_us", *kOverruns = "overruns", *kCriticality = "criticality";

bool is_hi(const YamlMap& map) {
  const auto level = map.find(kCriticality);
  return level && level->one_of({"lo", "hi"}) == static_cast<std::size_t>(Criticality::kHi);
}

void check_criticality(const YamlMap& map) {
  if (const auto node = map.find(kOverruns); node && !is_hi(map))
    node->fail("only jobs of criticality hi may overrun: those of lo end at their budget");
  const auto wcet = map.find(kWcet);
  if (wcet && wcet_form().read(*wcet).find("hi") && !is_hi(map))
    wcet->fail("a task of criticality lo has no budget of level hi");
}

void say_criticality(Json& schema) {
  const Json hi{{"required", {kCriticality}}, {"properties", {{kCriticality, {{"const", "hi"}}}}}};
  const Json with_hi{{"required", {kWcet}}, {"properties", {{kWcet, {{"required", {"hi"}}}}}}};
  schema["allOf"].push_back({{"if", {{"required", {kOverruns}}}}, {"then", hi}});
  schema["allOf"].push_back({{"if", with_hi}, {"then", hi}});
}

}  // namespace

const MapForm& wcet_form() {
  static const MapForm form =
      MapForm("wcet").fields<Wcet>().rule({[](const YamlMap& map) {
                                             Wcet wcet;
                                             read_fields(map, wcet);
                                             if (wcet.hi && *wcet.hi < wcet.lo)
                                               map.at("hi").fail("found less than lo, allowed: no less than lo");
                                           },
                                           nullptr});
  return form;
}

const MapForm& overruns_form() {
  static const MapForm form =
      MapForm(kOverruns)
          .key("probability", schema::number(0, 1), "Probability that a job overruns, independently of others")
          .key("jobs", schema::list(schema::whole_number(1, kMaxRepeats), 1),
               "Numbers of the jobs that overrun, from 1 on")
          .key("seed", schema::whole_number(0, ~std::uint64_t{0}),
               "Seed of the draws; default: from the run's seed and the name")
          .rule({[](const YamlMap& map) {
                   const auto probability = map.find("probability"), jobs = map.find("jobs");
                   if (probability.has_value() == jobs.has_value())
                     map.node().fail("allowed: either 'probability' or 'jobs'");
                   if (const auto seed = map.find("seed"); seed && jobs) seed->fail("'seed' has no effect with 'jobs'");
                 },
                 [](Json& schema) {
                   schema["oneOf"] = {Json{{"required", {"probability"}}},
                                      Json{{"required", {"jobs"}}, {"not", {{"required", {"seed"}}}}}};
                 }});
  return form;
}

const MapForm& criticality_form() {
  static const MapForm form =
      MapForm("criticality of a task")
          .key(kWcet, schema::reference("wcet"), "Longest time of a job alone, by level: {lo: 60, hi: 120}")
          .key(kOverruns, schema::reference(kOverruns), "Jobs that take more than their budget of level lo")
          .rule({check_criticality, say_criticality});
  return form;
}

std::optional<Wcet> read_wcet(const YamlMap& map) {
  const auto node = map.find(kWcet);
  if (!node) return std::nullopt;
  Wcet wcet;
  read_fields(wcet_form().read(*node), wcet);
  return wcet;
}

Overruns::Overruns(const YamlMap& map, std::uint64_t seed) : seed_(mix(seed)) {
  const auto node = map.find(kOverruns);
  if (!node) return;
  given_ = true;
  const YamlMap overruns = overruns_form().read(*node);
  if (const auto probability = overruns.find("probability")) probability_ = probability->number(0, 1);
  if (const auto given = overruns.find("seed")) seed_ = mix(given->unsigned_number());
  if (const auto jobs = overruns.find("jobs")) {
    if (jobs->items().empty()) jobs->fail("allowed: at least one number of a job");
    for (const YamlNode& job : jobs->items()) jobs_.insert(job.unsigned_number(1, kMaxRepeats));
  }
}

bool Overruns::of(std::uint64_t number) const {
  return jobs_.count(number) > 0 || happens(derive(derive(seed_, hash_name(kOverruns)), number), probability_);
}

std::shared_ptr<Kernel> beyond_budget(const Kernel& kernel, const Wcet& wcet, const YamlNode& node) {
  const auto* const program = dynamic_cast<const ProgramKernel*>(&kernel);
  const auto spins = [](const ProgramElement& element) { return std::holds_alternative<SpinElement>(element.what); };
  if (!program || !std::all_of(program->spec().body.begin(), program->spec().body.end(), spins))
    node.fail(
        "kernel '" + kernel.name +
        "' does more than spin, so what a job does beyond its budget is not known; allowed: a 'job' whose commands "
        "have 'beyond_budget' launches");
  ProgramSpec spec = program->spec();
  spec.name += ".beyond";
  for (ProgramElement& element : spec.body) {
    auto& spin = std::get<SpinElement>(element.what);
    for (Femtoseconds* const time : {&spin.time, &spin.per_sm})
      *time = static_cast<Femtoseconds>(static_cast<unsigned __int128>(*time) * (*wcet.hi - wcet.lo) / wcet.lo);
  }
  return std::make_shared<ProgramKernel>(spec, program->seed());
}

}  // namespace gputlm
