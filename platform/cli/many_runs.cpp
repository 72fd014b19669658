#include "platform/cli/many_runs.h"

#include <fmt/format.h>

#include "platform/files/terminal.h"
#include "platform/run/check_fits.h"
#include "tlm/base/error.h"

namespace gputlm {

ManyRuns::~ManyRuns() {
  if (store_) store_->shrink(RunStore::kMax);
}

void ManyRuns::declare(Arguments& arguments) {
  arguments.number("--jobs", parallel_,
                   "Simultaneous runs (default: the number of processors, divided by the threads of a run)", 1024);
  arguments.number("--max-memory", max_memory_,
                   "Estimated memory of all simultaneous runs, in MiB (default: 3/4 of the machine's)",
                   std::uint64_t{1} << 40);
  arguments.text("--cache", folder_,
                 "Folder of finished runs, which are not repeated (default: $XDG_CACHE_HOME/gputlm or ~/.cache/gputlm)",
                 Values::folder());
  arguments.flag("--no-cache", no_store_, "Neither reuse finished runs nor store them");
}

std::string ManyRuns::given() const {
  if (parallel_ > 0) return "--jobs";
  if (max_memory_) return "--max-memory";
  if (!folder_.empty()) return "--cache";
  return no_store_ ? "--no-cache" : "";
}

void ManyRuns::begin() {
  catch_interrupts();
  if (no_store_) return;
  if (!folder_.empty()) {
    store_.emplace(folder_);
    return;
  }
  const std::string folder = RunStore::default_folder();
  if (folder.empty()) return;
  try {
    store_.emplace(folder);
  } catch (const InputError& error) {  // the user did not ask for it, so this is not the user's mistake
    print_failure(fmt::format("finished runs are not kept: {}", error.what()));
  }
}

Bytes ManyRuns::memory_limit() const { return max_memory_ ? *max_memory_ << 20 : default_memory_limit(); }

void ManyRuns::set(JobOptions& options) {
  options.parallel = parallel_;
  options.most_memory = memory_limit();
  options.store = store_ ? &*store_ : nullptr;
  options.progress = [this](const JobProgress& p) {
    if (!line_ || p.of != progress_.of || p.done <= progress_.done) {  // other jobs have begun
      before_ = p;
      total_.of += p.of;
      total_.kept += p.kept;
      line_.emplace();
    }
    progress_ = p;
    show();
  };
  options.proceed = [this] {
    show();
    return !interrupted();
  };
}

void ManyRuns::show() {
  if (line_) line_->show([this](double seconds) { return text(seconds); });
}

std::string ManyRuns::text(double seconds) const {
  std::string left = "?";
  if (const std::size_t made = progress_.done - before_.done; made > 0) {
    left = fmt::format("{:.0f} s",
                       seconds * static_cast<double>(progress_.of - progress_.done) / static_cast<double>(made));
  }
  return fmt::format("{}{} of {} runs, {} of them kept from before, {:.0f} s, {} left", name_, progress_.done,
                     progress_.of, progress_.kept, seconds, left);
}

std::string ManyRuns::end() {
  line_.reset();
  return fmt::format("{} runs, {} of them kept from before", total_.of, total_.kept);
}

}  // namespace gputlm
