#include "platform/lab/jobs.h"

#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <thread>

#include "platform/files/terminal.h"
#include "platform/lab/run_store.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// The loaded library's path, size and time of change; reading all of them would take longer than many a run.
int add_library(dl_phdr_info* info, std::size_t /*size*/, void* text) {
  struct stat file {};
  if (info->dlpi_name && *info->dlpi_name && stat(info->dlpi_name, &file) == 0) {
    *static_cast<std::string*>(text) +=
        fmt::format("{} {} {}.{}\n", info->dlpi_name, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  }
  return 0;
}

/// A cache that cannot be written to costs no run.
void keep(const RunStore& store, const std::string& id, const std::string& result) {
  try {
    store.keep(id, result);
  } catch (const InputError& error) {
    print_failure(fmt::format("a finished run is not kept: {}", error.what()));
  }
}

/// What JobOptions::parallel says of `jobs` of them.
void share_processors(unsigned& parallel, unsigned& threads, std::size_t jobs) {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const bool open = parallel == 0;
  if (open) parallel = threads == 0 ? processors : std::max(1u, processors / threads);
  if (threads > 0) return;
  threads = open && jobs > 0 ? std::max<unsigned>(1, static_cast<unsigned>(processors / jobs)) : 1;
}

}  // namespace

Interrupted::Interrupted(const JobProgress& progress, bool kept)
    : std::runtime_error(fmt::format("interrupted: {} of {} runs are done{}", progress.done, progress.of,
                                     kept ? ", and the same command goes on from there" : "; they were not kept")) {}

namespace {

/// What was added to the program's digest.
std::string& added_content() {
  static std::string content;
  return content;
}

}  // namespace

void add_to_program_digest(const std::string& content) { added_content() += content; }

const std::string& program_digest() {
  // Plugins may have been loaded since the last call, but not another executable.
  static const std::string executable = file_digest("/proc/self/exe");
  static std::string loaded, whole;
  std::string libraries = added_content();
  dl_iterate_phdr(add_library, &libraries);
  if (whole.empty() || libraries != loaded) {
    loaded = libraries;
    whole = digest(executable + libraries);
  }
  return whole;
}

std::vector<std::string> carry_out(const std::vector<Job>& jobs, const JobOptions& options) {
  std::vector<std::string> results(jobs.size());
  std::map<std::string, std::size_t> first;                      // with this id
  std::vector<std::pair<std::size_t, std::size_t>> repetitions;  // of a job: the first with its id
  std::vector<std::size_t> missing;
  JobProgress progress;
  progress.of = jobs.size();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!jobs[i].id.empty()) {
      const auto [same, is_new] = first.emplace(jobs[i].id, i);
      if (!is_new) {
        repetitions.emplace_back(i, same->second);
        continue;
      }
      if (options.store) {
        if (auto kept = options.store->find(jobs[i].id)) {
          results[i] = std::move(*kept);
          ++progress.kept;
          continue;
        }
      }
    }
    missing.push_back(i);
  }
  const std::size_t before = progress.kept + repetitions.size();
  progress.done = before;
  if (options.progress) options.progress(progress);

  unsigned parallel = options.parallel;
  Execution execution = options.execution;
  share_processors(parallel, execution.threads, missing.size());
  std::vector<std::function<std::string()>> work;
  work.reserve(missing.size());
  for (const std::size_t i : missing) {
    // Kept by the process that made it: it stays even where this one is killed before it hears of it.
    work.emplace_back([&job = jobs[i], &options, &execution] {
      std::string result = job.work(execution);
      if (options.store && !job.id.empty()) keep(*options.store, job.id, result);
      return result;
    });
  }
  IsolatedRuns watch;
  watch.done = [&](std::size_t done) {
    progress.done = before + done;
    if (options.progress) options.progress(progress);
  };
  watch.proceed = options.proceed;
  watch.most_memory = options.most_memory;
  for (const std::size_t i : missing) watch.memory.push_back(jobs[i].memory);
  if (options.failed) {
    watch.failed = [&](const RunFailure& f) { options.failed({missing[f.job], f.kind, f.why}); };
  }
  auto made = run_isolated(work, parallel, watch);
  if (!made) throw Interrupted(progress, options.store != nullptr);
  for (std::size_t i = 0; i < missing.size(); ++i) results[missing[i]] = std::move((*made)[i]);
  for (const auto& [job, same] : repetitions) results[job] = results[same];
  return results;
}

}  // namespace gputlm
