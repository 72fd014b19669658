#include "platform/share/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "platform/input/nearest.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names{"p50", "p99", "worst", "throughput", "missed"};
  return names;
}

}  // namespace

/// Reads a query from left to right.
class ShareQueryReader {
 public:
  ShareQueryReader(const std::string& text, const std::vector<std::string>& programs)
      : text_(text), programs_(programs) {}

  void read(ShareQuery& query) {
    while (true) {
      const std::string word = peek_word();
      if (word == "max" || word == "min") {
        query.most_ = take_word() == "max";
        query.goal_ = value();
        break;
      }
      ShareQuery::Condition condition;
      condition.value = value();
      const char sign = take();
      if (sign != '<' && sign != '>') fail("'<' or '>'");
      condition.below = sign == '<';
      condition.bound = number(condition.value.microseconds);
      query.conditions_.push_back(condition);
      if (skip(); at_ < text_.size() && text_[at_] == ',') ++at_;
    }
    if (skip(); at_ < text_.size()) fail("the end");
  }

 private:
  [[noreturn]] void fail(const std::string& allowed) const {
    const std::string found = at_ < text_.size() ? "'" + shortened(text_.substr(at_)) + "'" : "the end";
    throw InputError(
        fmt::format("--find: found {}, allowed: {}, as in \"p99(a) < 1.2 max throughput(b)\"", found, allowed));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char take() {
    skip();
    return at_ < text_.size() ? text_[at_++] : '\0';
  }
  std::string peek_word() {
    skip();
    std::size_t end = at_;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string take_word() {
    std::string word = peek_word();
    at_ += word.size();
    return word;
  }

  ShareQuery::Value value() {
    const std::string metric = peek_word();
    const auto known = std::find(metric_names().begin(), metric_names().end(), metric);
    if (known == metric_names().end()) fail("max, min, p50, p99, worst, throughput or missed");
    take_word();
    ShareQuery::Value value;
    value.metric = static_cast<ShareQuery::Metric>(known - metric_names().begin());
    if (take() != '(') --at_, fail("'(' and a program");
    const std::size_t end = text_.find(')', at_);
    if (end == std::string::npos) fail("a program and ')'");
    const std::string name = text_.substr(at_, end - at_);
    const auto program = std::find(programs_.begin(), programs_.end(), name);
    if (program == programs_.end())
      throw InputError("--find: no program '" + shortened(name) + "'" + suggestion(name, programs_));
    value.program = static_cast<std::size_t>(program - programs_.begin());
    at_ = end + 1;
    return value;
  }

  double number(bool& microseconds) {
    skip();
    std::size_t end = at_;
    while (end < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[end])) || text_[end] == '.')) ++end;
    const auto number = parse_number<double>(text_.substr(at_, end - at_));
    if (!number) fail("a number");
    at_ = end;
    static const std::map<std::string, double> kUnits{{"us", 1}, {"ms", 1e3}, {"s", 1e6}};
    const auto unit = kUnits.find(peek_word());
    if (unit == kUnits.end()) return *number;
    take_word();
    microseconds = true;
    return *number * unit->second;
  }

  const std::string& text_;
  const std::vector<std::string>& programs_;
  std::size_t at_ = 0;
};

ShareQuery::ShareQuery(const std::string& text, const std::vector<std::string>& programs) {
  ShareQueryReader(text, programs).read(*this);
}

double ShareQuery::Value::of(const WayOutcome& way) const {
  const ProgramOutcome& outcome = way.programs.at(program);
  const auto over = [](const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::infinity());
  };
  const auto time = [&](Cycle cycles, const std::optional<double>& over_alone) {
    return microseconds ? static_cast<double>(cycles) / way.core_mhz : over(over_alone);
  };
  switch (metric) {
    case Metric::kP50: return time(outcome.times.p50, outcome.p50_over);
    case Metric::kP99: return time(outcome.times.p99, outcome.p99_over);
    case Metric::kWorst: return time(outcome.times.most, outcome.most_over);
    case Metric::kThroughput: return outcome.throughput.value_or(0);
    case Metric::kMissed: return static_cast<double>(outcome.times.missed);
  }
  return 0;
}

std::string ShareQuery::Value::text(const WayOutcome& way) const {
  return fmt::format("{}({}) {:.4g}{}", metric_names()[static_cast<std::size_t>(metric)],
                     way.programs.at(program).program, of(way), microseconds ? " us" : "");
}

double ShareQuery::missing(const WayOutcome& way) const {
  double sum = 0;
  for (const Condition& condition : conditions_) {
    const double value = condition.value.of(way);
    const bool meets = condition.below ? value < condition.bound : value > condition.bound;
    if (meets) continue;
    const double whole = condition.bound > 0 ? condition.bound : 1;
    sum += std::max(std::abs(value - condition.bound) / whole, 1e-9);
  }
  return sum;
}

double ShareQuery::gain(const WayOutcome& way) const { return most_ ? goal_.of(way) : -goal_.of(way); }

bool ShareQuery::better(const WayOutcome& a, const WayOutcome& b) const {
  const double of_a = missing(a), of_b = missing(b);
  if (of_a != of_b) return of_a < of_b;
  return gain(a) > gain(b);
}

std::string ShareQuery::values(const WayOutcome& way) const {
  std::string text;
  for (const Condition& condition : conditions_) text += condition.value.text(way) + ", ";
  return text + goal_.text(way);
}

namespace {

/// Searches the splits of one kind.
class Search {
 public:
  Search(ShareStudy& study, const ShareQuery& query, const JobOptions& options)
      : study_(study), query_(query), options_(options) {}

  /// The best of all ways, including the given ones.
  ShareFound find() {
    for (const SharingWay& way : study_.ways()) look_at(way.name);
    const ToShare what = study_.to_share();
    for (const WayKind& kind : way_kinds()) {
      if (kind.granules && kind.split && what.programs.size() > 1) search(kind, what);
    }
    return {best_, !best_.empty() && query_.missing(outcomes_.at(best_)) == 0, tried_};
  }

 private:
  using Split = std::vector<unsigned>;

  void look_at(const std::string& way) {
    const WayOutcome outcome = share_outcome(study_, way);
    const auto [place, added] = outcomes_.emplace(way, outcome);
    if (best_.empty() || query_.better(place->second, outcomes_.at(best_))) best_ = way;
  }

  void look_at_new(const std::string& way) {
    if (way.empty() || outcomes_.count(way) > 0) return;
    ++tried_;
    look_at(way);
  }

  /// Name of the split, which is added to the study's ways; empty if it is not possible.
  std::string name_of(const WayKind& kind, const ToShare& what, const Split& split, unsigned whole) {
    SharingWay way = kind.split(what, split, whole);
    way.kind = kind.name;
    return study_.has(way.name) || study_.add(way) ? way.name : "";
  }

  void search(const WayKind& kind, const ToShare& what) {
    const unsigned granules = kind.granules(what), n = static_cast<unsigned>(what.programs.size());
    if (granules < n) return;
    Split at(n, granules / n);
    at.back() += granules - granules / n * n;
    unsigned whole = 1;
    std::map<Split, std::string> names;  // empty: not possible
    const auto run = [&](const std::vector<Split>& splits) {
      for (const Split& split : splits) {
        if (names.count(split) == 0) names[split] = name_of(kind, what, split, whole);
      }
      study_.run(options_);
      for (const Split& split : splits) look_at_new(names[split]);
    };
    if (kind.wholes) {
      std::map<std::string, unsigned> equal;
      for (const unsigned size : kind.wholes(what)) equal[name_of(kind, what, at, size)] = size;
      study_.run(options_);
      std::string best;
      for (const auto& [name, size] : equal) {
        if (name.empty()) continue;
        look_at_new(name);
        if (best.empty() || query_.better(outcomes_.at(name), outcomes_.at(best))) best = name;
      }
      if (best.empty()) return;
      whole = equal.at(best);
    }
    run({at});
    for (unsigned step = std::max(1u, granules / 4); step > 0; step /= 2) {
      for (bool moved = true; moved;) {
        const std::vector<Split> near = neighbours(at, step);
        run(near);
        Split best = at;
        for (const Split& split : near) {
          if (names[split].empty()) continue;
          if (names[best].empty() || query_.better(outcomes_.at(names[split]), outcomes_.at(names[best]))) best = split;
        }
        moved = best != at;
        at = best;
      }
    }
  }

  static std::vector<Split> neighbours(const Split& at, unsigned step) {
    std::vector<Split> all;
    for (std::size_t from = 0; from < at.size(); ++from) {
      for (std::size_t to = 0; to < at.size(); ++to) {
        if (from == to || at[from] <= step) continue;
        all.push_back(at);
        all.back()[from] -= step;
        all.back()[to] += step;
      }
    }
    return all;
  }

  ShareStudy& study_;
  const ShareQuery& query_;
  const JobOptions& options_;
  std::map<std::string, WayOutcome> outcomes_;  ///< outcomes, by way
  std::string best_;
  std::size_t tried_ = 0;
};

}  // namespace

ShareFound find_way(ShareStudy& study, const ShareQuery& query, const JobOptions& options) {
  return Search(study, query, options).find();
}

}  // namespace gputlm
