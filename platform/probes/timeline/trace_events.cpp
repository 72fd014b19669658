#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "platform/probes/timeline/timeline.h"

namespace gputlm {
namespace {

constexpr unsigned kPoints = 1 << 11;
constexpr Femtoseconds kNanosecond = 1'000'000;

/// Viewers expect microseconds.
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

TraceEvents::TraceEvents(AtomicFile& file) : file_(file) {
  file_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

unsigned TraceEvents::add_process(std::string_view name) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":"{1}"}}}},
{{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})",
                 ++processes_, json_escaped(name));
  add({});
  return processes_;
}

void TraceEvents::name_track(Key key, Track track, std::string_view name) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_),
                 R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_name","args":{{"name":"{2}"}}}},
{{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
                 track.process, track.thread, json_escaped(name));
  add(key);
}

void TraceEvents::slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to,
                        std::string_view args, Flow flow) {
  text_.clear();
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
  add(key);
}

void TraceEvents::instant(Key key, Track track, std::string_view name, Femtoseconds at) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_), R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":)", track.process,
                 track.thread);
  append_us(text_, at / kNanosecond);
  fmt::format_to(std::back_inserter(text_), R"(,"name":"{}"}})", name);
  add(key);
}

unsigned TraceEvents::add_counter(unsigned process, std::string_view name, const std::vector<std::string>& series) {
  Counter counter{process, json_escaped(name), {}, std::vector<std::int64_t>(series.size())};
  for (const std::string& one : series) counter.series.push_back(json_escaped(one));
  counters_.push_back(std::move(counter));
  return static_cast<unsigned>(counters_.size() - 1);
}

void TraceEvents::count(Key key, unsigned counter, unsigned series, std::int32_t change) {
  order_.add(key, {{}, counter, series, change});
}

void TraceEvents::take(Femtoseconds at, const Item& item) {
  if (!item.text.empty()) {
    write_line(item.text);
    return;
  }
  Counter& counter = counters_[item.counter];
  if (counter.changed && counter.due < at) write(counter);
  counter.values[item.series] += item.change;
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
  order_.finish();
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
