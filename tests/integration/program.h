/// Runs the built program as a user does: arguments and files in; exit code, text and files out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_folder.h"

namespace gputlm {

inline std::string read_file(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) throw std::runtime_error("cannot open " + path);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

struct Outcome {
  int code = 0;  ///< exit code; negative: the signal that killed it
  std::string out, err;
};

/// The program, running.
class StartedProgram {
 public:
  /// `folder`: its working directory; empty: ours. `prepare`: called in the new process, whose output already goes to files.
  explicit StartedProgram(const std::vector<std::string>& arguments, const std::string& folder = "",
                          const std::function<void()>& prepare = nullptr) {
    std::vector<std::string> words{GPUTLM_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = texts_.write("out", ""), err = texts_.write("err", "");
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ > 0) return;
    const int out_file = ::open(out.c_str(), O_WRONLY);
    const int err_file = ::open(err.c_str(), O_WRONLY);
    if (out_file < 0 || err_file < 0 || ::dup2(out_file, STDOUT_FILENO) < 0 || ::dup2(err_file, STDERR_FILENO) < 0 ||
        (!folder.empty() && ::chdir(folder.c_str()) != 0))
      ::_exit(127);
    if (prepare) prepare();
    ::execv(GPUTLM_PROGRAM, argv.data());
    ::_exit(127);
  }
  ~StartedProgram() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  void signal(int number) { ::kill(pid_, number); }
  pid_t pid() const { return pid_; }
  /// Whether it is still running.
  bool running() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
  }
  Outcome wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) throw std::runtime_error("waitpid failed");
    }
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_file(texts_.path("out")),
            read_file(texts_.path("err"))};
  }

 private:
  TestFolder texts_;
  pid_t pid_;
};

inline Outcome run_program(const std::vector<std::string>& arguments, const std::string& folder = "",
                           const std::function<void()>& prepare = nullptr) {
  return StartedProgram(arguments, folder, prepare).wait();
}

inline std::string workload_file(const std::string& name) {
  return std::string(GPUTLM_SOURCE_DIR) + "/workloads/" + name;
}

/// The text of a workload that only computes, of any length: each of its blocks executes two instructions `loops` times.
/// `varied`: the number of instructions depends on the block and the seed.
inline std::string busy_workload(unsigned blocks, unsigned loops, bool varied = false) {
  return "kernels:\n  k: {grid: " + std::to_string(blocks) + ", block: 64, " +
         (varied ? "variation: {spread: 0.1}, " : "") + "program: [loop: {count: " + std::to_string(loops) +
         (varied ? ", varies: true" : "") + ", body: [fp32, int]}]}\n" +
         "applications:\n  - {name: a, streams: [{name: s, launches: [k]}]}\n";
}

/// Files that every `gputlm run --out` leaves, in order.
inline const std::vector<std::string> kRunFiles{"blocks.csv",    "kernels.csv", "performance.json", "predictions.csv",
                                                "responses.csv", "result.json", "timeline.json"};

/// A line of blocks.csv.
struct BlockRow {
  std::string kernel;
  std::uint64_t block = 0, sm = 0, start = 0, end = 0;
  std::string start_ns, end_ns;
  std::uint64_t slot = 0, threads = 0;
  std::string stream, application;
};

/// Labels must have no commas.
inline std::vector<BlockRow> read_blocks(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "kernel,block,sm,start_cycle,end_cycle,start_ns,end_ns,slot,threads,stream,application");
  std::vector<BlockRow> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    BlockRow row;
    char comma = 0;
    std::getline(fields, row.kernel, ',');
    fields >> row.block >> comma >> row.sm >> comma >> row.start >> comma >> row.end >> comma;
    std::getline(fields, row.start_ns, ',');
    std::getline(fields, row.end_ns, ',');
    fields >> row.slot >> comma >> row.threads >> comma;
    std::getline(fields, row.stream, ',');
    std::getline(fields, row.application);
    EXPECT_TRUE(fields) << line;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A finished run: what it printed, and the files in its folder.
struct FinishedRun {
  Outcome outcome;
  std::string result_text, blocks_text, predictions_text, copies_text;
  nlohmann::json result;
  std::vector<BlockRow> blocks;
};

/// `gputlm run INPUT --out FOLDER options...`, expected to end with `code`.
inline FinishedRun run_workload(const std::string& input, const std::vector<std::string>& options = {}, int code = 0) {
  const TestFolder folder;
  std::vector<std::string> arguments{"run", input, "--out", folder.path("out")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  FinishedRun run;
  run.outcome = run_program(arguments);
  EXPECT_EQ(run.outcome.code, code) << run.outcome.err;
  if (run.outcome.code != code) return run;
  run.result_text = read_file(folder.path("out/result.json"));
  run.blocks_text = read_file(folder.path("out/blocks.csv"));
  run.predictions_text = read_file(folder.path("out/predictions.csv"));
  run.result = nlohmann::json::parse(run.result_text);
  std::vector<std::string> files = kRunFiles;
  if (run.result.contains("copies")) {
    files.emplace_back("copies.csv");
    run.copies_text = read_file(folder.path("out/copies.csv"));
  }
  if (!run.result.at("responses").at("tasks").empty()) files.emplace_back("jobs.csv");
  std::sort(files.begin(), files.end());
  EXPECT_EQ(folder.files("out"), files);
  run.blocks = read_blocks(folder.path("out/blocks.csv"));
  return run;
}

}  // namespace gputlm
