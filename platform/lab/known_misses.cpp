#include "platform/lab/known_misses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/input/yaml_reader.h"

namespace gputlm {

namespace {

constexpr double kSamePlace = 0.1;  ///< a miss within this share of where it was is the same miss

KnownMiss read_miss(const YamlNode& node) {
  const YamlMap map(node, {"figure", "since", "ours", "quick", "why", "tried"});
  KnownMiss miss{map.at("figure").text(), map.at("since").text(), map.at("why").text(), map.at("tried").text(), {}, {}};
  if (const auto ours = map.find("ours")) miss.ours = Quantity::of_text(ours->text());
  if (const auto quick = map.find("quick")) miss.quick = Quantity::of_text(quick->text());
  if (!miss.ours && !miss.quick) node.fail("says neither 'ours' nor 'quick'");
  return miss;
}

bool same_place(const Quantity& noted, const Quantity& ours) {
  if (noted.text() == ours.text()) return true;
  if (!noted.number() || !ours.number()) return false;
  return std::abs(*ours.number() - *noted.number()) <= kSamePlace * std::abs(*noted.number());
}

}  // namespace

KnownMisses::KnownMisses(const std::string& yaml, const std::string& file) {
  for (const auto& [experiment, list] : YamlNode::load_text(yaml, file).entries()) {
    for (const YamlNode& item : list.items()) misses_[experiment].push_back(read_miss(item));
  }
}

const std::vector<KnownMiss>& KnownMisses::of(const std::string& experiment) const {
  static const std::vector<KnownMiss> none;
  const auto found = misses_.find(experiment);
  return found == misses_.end() ? none : found->second;
}

std::vector<std::string> KnownMisses::experiments() const {
  std::vector<std::string> names;
  for (const auto& [name, misses] : misses_) names.push_back(name);
  return names;
}

const KnownMisses& known_misses() {
  static const KnownMisses all(known_misses_source().front().yaml, "platform/experiments/known-misses.yaml");
  return all;
}

std::size_t Judgement::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), verdict));
}

Judgement judge(const std::vector<Figure>& figures, const std::vector<KnownMiss>& known, bool quick) {
  Judgement judgement;
  std::vector<bool> seen(known.size());
  for (const Figure& figure : figures) {
    Verdict verdict = figure.agrees() || !figure.judged() ? Verdict::kAgrees : Verdict::kNewMiss;
    std::string why;
    for (std::size_t i = 0; i < known.size() && verdict == Verdict::kNewMiss; ++i) {
      const auto& noted = known[i].in_form(quick);
      if (!noted || known[i].figure != figure.name) continue;
      seen[i] = true;  // though it may have moved
      if (!same_place(*noted, figure.ours)) continue;
      verdict = Verdict::kKnownMiss;
      why = fmt::format("known since {}: {}", known[i].since, known[i].why);
    }
    judgement.verdicts.push_back(verdict);
    judgement.why.push_back(why);
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].in_form(quick) && !seen[i]) judgement.stale.push_back(known[i].figure);
  }
  return judgement;
}

std::string counts_text(std::size_t agree, std::size_t known, std::size_t fresh) {
  return fmt::format("{} figures: {} agree, {} miss as known, {} anew", agree + known + fresh, agree, known, fresh);
}

}  // namespace gputlm
