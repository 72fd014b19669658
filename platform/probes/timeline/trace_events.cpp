#include "platform/probes/timeline/trace_events.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tlm/unit.h"

namespace gputlm {
namespace {

constexpr std::size_t kEntries = 1 << 14;
constexpr unsigned kPoints = 1 << 11;
constexpr Femtoseconds kNanosecond = 1'000'000;

/// Shorter than nlohmann's text of a number: viewers take microseconds.
void append_us(fmt::memory_buffer& out, std::uint64_t ns) {
  fmt::format_to(std::back_inserter(out), "{}", ns / 1000);
  if (const std::uint64_t rest = ns % 1000) fmt::format_to(std::back_inserter(out), ".{:03}", rest);
}

}  // namespace

std::string json_escaped(std::string_view text) {
  const std::string quoted =
      nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

TraceEvents::TraceEvents(AtomicFile& file) : file_(file), most_entries_(kEntries) {
  file_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

unsigned TraceEvents::add_process(std::string_view name) {
  begin_entry({});
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":"{1}"}}}},
{{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})",
                 ++processes_, json_escaped(name));
  end_entry();
  return processes_;
}

void TraceEvents::name_track(Key key, Track track, std::string_view name) {
  begin_entry(key);
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_name","args":{{"name":"{2}"}}}},
{{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
                 track.process, track.thread, json_escaped(name));
  end_entry();
}

void TraceEvents::slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to,
                        std::string_view args, Flow flow) {
  begin_entry(key);
  const std::uint64_t begin = from / kNanosecond;
  fmt::format_to(std::back_inserter(text_), R"({{"ph":"X","pid":{},"tid":{},"ts":)", track.process, track.thread);
  append_us(text_, begin);
  text_.append(std::string_view(R"(,"dur":)"));
  append_us(text_, to / kNanosecond - begin);
  fmt::format_to(std::back_inserter(text_), R"(,"name":"{}")", name);
  if (flow.id) {
    fmt::format_to(std::back_inserter(text_), R"(,"bind_id":"{:#x}"{}{})", flow.id, flow.in ? R"(,"flow_in":true)" : "",
                   flow.out ? R"(,"flow_out":true)" : "");
  }
  if (!args.empty()) fmt::format_to(std::back_inserter(text_), R"(,"args":{{{}}})", args);
  text_.push_back('}');
  end_entry();
}

void TraceEvents::instant(Key key, Track track, std::string_view name, Femtoseconds at) {
  begin_entry(key);
  fmt::format_to(std::back_inserter(text_), R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":)", track.process,
                 track.thread);
  append_us(text_, at / kNanosecond);
  fmt::format_to(std::back_inserter(text_), R"(,"name":"{}"}})", name);
  end_entry();
}

unsigned TraceEvents::add_counter(unsigned process, std::string_view name, const std::vector<std::string>& series) {
  Counter counter{process, json_escaped(name), {}, std::vector<std::int64_t>(series.size())};
  for (const std::string& one : series) counter.series.push_back(json_escaped(one));
  counters_.push_back(std::move(counter));
  return static_cast<unsigned>(counters_.size() - 1);
}

void TraceEvents::count(Key key, unsigned counter, unsigned series, std::int32_t change) {
  begin_entry(key);
  changes_.push_back({counter, series, change});
  end_entry();
}

/// Text or a change follows, and end_entry(): an entry without text is the next change.
void TraceEvents::begin_entry(Key key) {
  latest_ = std::max(latest_, key.at);
  const auto at = static_cast<std::uint32_t>(text_.size());
  entries_.push_back({key, static_cast<std::uint32_t>(changes_.size()), at, at});
}

void TraceEvents::end_entry() {
  entries_.back().end = static_cast<std::uint32_t>(text_.size());
  if (entries_.size() < most_entries_) return;
  write_before(now_fs());  // windows that are computed from now on begin now
  most_entries_ = std::max(kEntries, 2 * entries_.size());
}

void TraceEvents::write_before(Femtoseconds time) {
  const auto later =
      std::stable_partition(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key.at < time; });
  std::stable_sort(entries_.begin(), later, [](const Entry& a, const Entry& b) {
    return std::tie(a.key.at, a.key.source) < std::tie(b.key.at, b.key.source);
  });
  for (auto entry = entries_.begin(); entry != later; ++entry) {
    if (entry->begin == entry->end) {
      apply(entry->key.at, changes_[entry->place]);
    } else {
      write_line({text_.data() + entry->begin, entry->end - entry->begin});
    }
  }
  entries_.erase(entries_.begin(), later);
  fmt::memory_buffer text;
  std::vector<Change> changes;
  for (Entry& entry : entries_) {
    const auto begin = static_cast<std::uint32_t>(text.size());
    if (entry.begin == entry.end) {
      const Change change = changes_[entry.place];
      entry.place = static_cast<std::uint32_t>(changes.size());
      changes.push_back(change);
    }
    text.append(text_.data() + entry.begin, text_.data() + entry.end);
    entry.begin = begin;
    entry.end = static_cast<std::uint32_t>(text.size());
  }
  text_ = std::move(text);
  changes_ = std::move(changes);
}

void TraceEvents::apply(Femtoseconds at, const Change& change) {
  Counter& counter = counters_[change.counter];
  if (counter.changed && counter.due < at) write(counter);
  counter.values[change.series] += change.change;
  if (counter.changed) return;
  counter.changed = true;
  counter.due = std::max(at, counter.due + counter.interval);
}

void TraceEvents::write(Counter& counter) {
  line_.clear();
  fmt::format_to(std::back_inserter(line_), R"({{"ph":"C","pid":{},"ts":)", counter.process);
  append_us(line_, counter.due / kNanosecond);
  fmt::format_to(std::back_inserter(line_), R"(,"name":"{}","args":{{)", counter.name);
  for (std::size_t s = 0; s < counter.series.size(); ++s) {
    fmt::format_to(std::back_inserter(line_), R"({}"{}":{})", s ? "," : "", counter.series[s], counter.values[s]);
  }
  line_.append(std::string_view("}}"));
  write_line({line_.data(), line_.size()});
  counter.changed = false;
  if (++counter.points < kPoints) return;
  counter.points = 0;
  counter.interval = counter.interval ? 2 * counter.interval : 2 * (counter.due / kPoints);
}

void TraceEvents::write_line(std::string_view event) {
  if (!first_) file_.write(",\n");
  first_ = false;
  file_.write(event);
}

void TraceEvents::finish() {
  write_before(kNever);
  for (Counter& counter : counters_) {
    if (counter.changed) write(counter);
  }
  file_.write("\n]}\n");
}

TraceEvents::Track LazyTracks::at(TraceEvents::Key key, std::size_t number) {
  const TraceEvents::Track track{process_, static_cast<unsigned>(number + 1)};
  if (number >= named_.size()) named_.resize(number + 1, false);
  if (!named_[number]) {
    named_[number] = true;
    events_->name_track(key, track, name_(static_cast<unsigned>(number)));
  }
  return track;
}

}  // namespace gputlm
