/// The result files of cuda_scheduling_examiner, one per benchmark, which that tool's viewers show (docs/examiner.md).
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/host/host.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/examiner/examiner_run.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

const ExaminerRun* examiner_run(const Workload& workload) {
  return dynamic_cast<const ExaminerRun*>(workload.origin.get());
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

class ExaminerFiles final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    workload_ = &site.workload();
    run_ = examiner_run(*workload_);
    if (!run_) throw InputError("--probe examiner: the workload is no configuration of cuda_scheduling_examiner");
    clock_ = site.clock;
    blocks_.resize(workload_->launches.size());
    file_of_.resize(workload_->threads.size());
    const std::size_t threads = 2048 * site.units<Sm>("SM").size();  // its viewers divide by 2048
    for (const ExaminerBenchmark& benchmark : run_->benchmarks) {
      File& file = file_of_[benchmark.thread].emplace();
      file.benchmark = &benchmark;
      file.out = &site.file(benchmark.file);
      file.returned.resize(benchmark.repeat + 1);
      file.began.resize(benchmark.repeat + 1);
      write_header(file, threads);
    }
    Host& host = *site.units<Host>("host").front();
    for (WorkDistributor* const distributor : site.units<WorkDistributor>("work distributor"))
      site.watch(*distributor, distributor->core().blocks_ended, [this](const BlockEnded& block) { note(block); });
    site.watch(host, host.core().calls_made, [this](const CallMade& made) { note(made); });
  }

  void finish() override {
    for (std::optional<File>& file : file_of_) {
      if (file) file->out->write("\n]}\n");
    }
  }

 private:
  struct Block {
    Cycle start = 0, end = 0;
    SmId sm = 0;
  };
  struct File {
    const ExaminerBenchmark* benchmark = nullptr;
    AtomicFile* out = nullptr;
    Cycle iteration = 0;                 ///< start of the iteration
    std::vector<Cycle> began, returned;  ///< times of each call in the iteration
  };

  void write_header(File& file, std::size_t threads) {
    const ExaminerBenchmark& b = *file.benchmark;
    add("{{\n\"scenario_name\": {},\n\"benchmark_name\": {},\n", quoted(b.scenario), quoted(b.title));
    if (b.label) add("\"label\": {},\n", quoted(*b.label));
    add("\"max_resident_threads\": {},\n\"data_size\": {},\n\"release_time\": {:.6f},\n\"PID\": {},\n", threads,
        b.data_size, b.release_seconds, b.process);
    if (b.thread_id) add("\"TID\": {},\n", *b.thread_id);
    add("\"times\": [{{}}");
    flush(file);
  }

  void note(const BlockEnded& block) {
    std::vector<Block>& blocks = blocks_[block.command];
    if (blocks.empty()) blocks.resize(workload_->launches[block.command].kernel->blocks());
    blocks[block.identity.block] = {block.start, block.end, block.identity.sm};
  }

  void note(const CallMade& made) {
    if (made.thread >= file_of_.size() || !file_of_[made.thread]) return;
    File& file = *file_of_[made.thread];
    const ExaminerBenchmark& b = *file.benchmark;
    if (made.call < b.loop || made.call > b.repeat) return;
    file.began[made.call] = made.begin;
    file.returned[made.call] = made.end;
    if (made.call == b.repeat) write_iteration(file);
    // The loop, the synchronization of iterations, and the end of the previous iteration precede an iteration.
    if (made.call < b.begin || made.call == b.repeat) file.iteration = made.end;
  }

  /// End of the last call before this one in the iteration.
  Cycle before(const File& file, std::size_t call) const {
    return call == file.benchmark->begin ? file.iteration : file.returned[call - 1];
  }

  void write_iteration(File& file) {
    const ExaminerBenchmark& b = *file.benchmark;
    const Cycle begin = before(file, b.begin), execute = before(file, b.execute), copy_out = before(file, b.copy_out),
                end = before(file, b.repeat);
    add(",\n{{\"copy_in_times\": [{},{}], \"execute_times\": [{},{}], ", time(begin), time(execute), time(execute),
        time(copy_out));
    add("\"copy_out_times\": [{},{}], \"cpu_times\": [{},{}]}}", time(copy_out), time(end), time(begin), time(end));
    for (const ExaminerKernel& kernel : b.kernels) write_kernel(file, kernel);
    flush(file);
  }

  void write_kernel(const File& file, const ExaminerKernel& k) {
    const Kernel& kernel = *workload_->launches[k.launch].kernel;
    add(",\n{{\"kernel_name\": {}, \"block_count\": {}, \"thread_count\": {}, \"shared_memory\": {}, ", quoted(k.name),
        kernel.blocks(), kernel.threads_per_block(), kernel.shared_memory);
    add("\"cuda_launch_times\": [{}, {}, {}], \"block_times\": [", time(file.began[k.call]),
        time(file.returned[k.call]), k.synchronization ? time(file.returned[*k.synchronization]) : "0.000000000");
    const std::vector<Block>& blocks = blocks_[k.launch];
    for (std::size_t i = 0; i < blocks.size(); ++i)
      add("{}{},{}", i == 0 ? "" : ",", time(blocks[i].start), time(blocks[i].end));
    add("], \"block_smids\": [");
    for (std::size_t i = 0; i < blocks.size(); ++i) add("{}{}", i == 0 ? "" : ",", blocks[i].sm);
    add("], \"cpu_core\": {}}}", file.benchmark->cpu_core);
  }

  /// In seconds of the configuration, with nanosecond resolution.
  std::string time(Cycle cycle) const {
    const auto fs = static_cast<unsigned __int128>(clock_.edge(cycle)) * run_->time_scale;
    const auto ns = static_cast<std::uint64_t>(fs / 1'000'000);
    return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000);
  }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void flush(File& file) {
    file.out->write({text_.data(), text_.size()});
    text_.clear();
  }

  const Workload* workload_ = nullptr;
  const ExaminerRun* run_ = nullptr;
  Clock clock_{1};
  std::vector<std::vector<Block>> blocks_;    // blocks of each launch, in its latest iteration
  std::vector<std::optional<File>> file_of_;  // file of each thread
  fmt::memory_buffer text_;
};

GPUTLM_REGISTER {
  add_probe<ExaminerFiles>("examiner",
                           "results/*.json: result files of cuda_scheduling_examiner, for its configurations", 60,
                           [](const Workload& w) { return examiner_run(w) != nullptr; });
}

}  // namespace
}  // namespace gputlm
