#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "platform/files/atomic_file.h"
#include "platform/lab/campaign.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using std::chrono::milliseconds;

// Slurm's documentation recommends polling no more often than necessary: frequent at first, when tasks may end immediately.
constexpr milliseconds kFirstLook{500}, kLastLook{10'000}, kSlice{100};

/// Quotes `text` as one word for a shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

class Controller {
 public:
  Controller(Campaign& campaign, const Slurm& slurm, const CampaignWatch& watch)
      : campaign_(campaign), slurm_(slurm), watch_(watch) {}

  CampaignEnd run(bool wait) {
    std::uint64_t fruitless = 0;
    std::optional<std::size_t> missing_before;
    for (bool first = true;; first = false) {
      if (!wait && any_at_work()) return CampaignEnd::kSubmitted;
      if (!wait_for_tasks()) return CampaignEnd::kLeft;
      if (first) campaign_.forget_failures();
      const std::vector<std::size_t> missing = campaign_.missing();
      if (missing.empty()) {
        remove_abandoned_parts(campaign_.store().folder());  // not earlier: a task may run on another machine
        return CampaignEnd::kDone;
      }
      const std::vector<std::size_t> to_try = without_hopeless(missing);
      fruitless = missing_before && *missing_before == missing.size() ? fruitless + 1 : 0;
      missing_before = missing.size();
      if (to_try.empty() || fruitless >= slurm_number(settings(), "tries")) give_up(missing.size(), fruitless);
      submit(to_try);
    }
  }

 private:
  const SlurmSettings& settings() const { return campaign_.record().slurm; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (std::size_t n = 1; n <= campaign_.record().submissions.size(); ++n) names.push_back(campaign_.array_name(n));
    return names;
  }

  bool any_at_work() const {
    const auto tasks = slurm_.tasks(names());
    return std::any_of(tasks.begin(), tasks.end(), [](const SlurmTask& task) { return !task.ended(); });
  }

  /// Waits until all tasks have ended; false if the user does not want to wait.
  bool wait_for_tasks() {
    milliseconds pause = kFirstLook;
    bool silent = false;
    while (true) {
      std::vector<SlurmTask> tasks;
      try {
        tasks = slurm_.tasks(names());
        silent = false;
      } catch (const InputError& error) {  // its controller may be down for a while
        if (!silent) watch_.say(fmt::format("Slurm does not answer; retrying: {}", error.what()));
        silent = true;
      }
      if (!silent) {
        note_ends(tasks);
        watch_.progress(status_of(campaign_, tasks));
        if (std::all_of(tasks.begin(), tasks.end(), [](const SlurmTask& task) { return task.ended(); })) return true;
      }
      for (milliseconds slept{0}; slept < pause; slept += kSlice) {
        if (!watch_.proceed()) return false;
        std::this_thread::sleep_for(kSlice);
      }
      pause = std::min(pause + pause / 2, kLastLook);
    }
  }

  /// Records the ends of tasks, which Slurm forgets.
  void note_ends(const std::vector<SlurmTask>& tasks) {
    for (std::size_t n = 1; n <= campaign_.record().submissions.size(); ++n) {
      CampaignSubmission now = campaign_.record().submissions[n - 1];
      std::map<std::string, std::size_t> ended;
      for (const SlurmTask& task : tasks) {
        if (task.array == campaign_.array_name(n) && task.ended()) ++ended[task.state];
      }
      if (ended.empty() || ended == now.ended) continue;
      now.ended = ended;
      campaign_.note(n, now);
    }
  }

  std::vector<std::size_t> without_hopeless(const std::vector<std::size_t>& missing) const {
    const auto failures = campaign_.failures();
    std::vector<std::size_t> to_try;
    for (const std::size_t place : missing) {
      const auto failure = failures.find(campaign_.record().runs[place].id);
      if (failure == failures.end() || failure->second.killed) to_try.push_back(place);
    }
    return to_try;
  }

  void submit(const std::vector<std::size_t>& places) {
    const std::size_t cpus = slurm_number(settings(), "cpus");
    const std::size_t tasks =
        std::min<std::size_t>(slurm_number(settings(), "tasks"), (places.size() + cpus - 1) / cpus);
    const std::size_t number = campaign_.plan(places, tasks);
    const std::string script = campaign_.file(fmt::format("tasks/{}.sh", number));
    write_file(script, script_text(number));
    CampaignSubmission submission = campaign_.record().submissions.back();
    submission.job = slurm_.submit({campaign_.array_name(number), tasks, script, campaign_.folder(),
                                    campaign_.file(fmt::format("tasks/{}.%a.log", number))},
                                   settings());
    campaign_.note(number, submission);
    watch_.say(fmt::format("submitted job {}: {} runs in {} tasks", submission.job, places.size(), tasks));
  }

  std::string script_text(std::size_t number) const {
    std::string command;
    if (const auto image = settings().find("container"); image != settings().end()) {
      command = "apptainer exec " + quoted(image->second) + " ";
    }
    command += quoted(std::filesystem::read_symlink("/proc/self/exe").string());
    for (const std::string& word : campaign_.record().command) command += " " + quoted(word);
    return fmt::format(
        "#!/bin/sh\nunset TMPDIR  # of the program that has submitted this\ncd {} || exit\n"
        "exec {} --work {} --task \"{}.$SLURM_ARRAY_TASK_ID\"\n",
        quoted(campaign_.record().directory), command, quoted(campaign_.folder()), number);
  }

  [[noreturn]] void give_up(std::size_t missing, std::uint64_t fruitless) const {
    std::string why;
    if (fruitless > 0) why = ", and the last submission finished none";
    if (fruitless > 1) why = fmt::format(", and the last {} submissions finished none", fruitless);
    throw InputError(fmt::format("{} of {} runs are not done{}; {} tries them again\n{}", missing,
                                 campaign_.record().runs.size(), why, watch_.again, status_text(campaign_, {})));
  }

  Campaign& campaign_;
  const Slurm& slurm_;
  const CampaignWatch& watch_;
};

}  // namespace

CampaignEnd carry_out(Campaign& campaign, const Slurm& slurm, bool wait, const CampaignWatch& watch) {
  return Controller(campaign, slurm, watch).run(wait);
}

}  // namespace gputlm
