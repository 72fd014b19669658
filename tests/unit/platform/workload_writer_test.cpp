// A workload that is written as a file and read again is the same workload.

#include "platform/input/workload_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "models/host/workload_text.h"
#include "platform/input/map_form.h"
#include "platform/input/run_input.h"
#include "platform/input/workload_file.h"
#include "platform/input/workload_file_forms.h"
#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(GPUTLM_SOURCE_DIR "/workloads")) {
    const std::string path = entry.path().string();
    const bool is_sweep = path.find("_sweep") != std::string::npos;
    if (entry.path().extension() == ".yaml" && !is_sweep) files.push_back(path);
  }
  return files;
}

/// Written and read again.
Workload written_and_read(const Workload& workload, std::uint64_t seed) {
  return load_workload_text(workload_yaml(workload, ""), "again.yaml", seed);
}

void expect_the_same_again(const Workload& workload, const std::string& name) {
  const std::string text = workload_text(workload);
  ASSERT_NE(text, "") << name;
  const Workload again = written_and_read(workload, 99);
  EXPECT_EQ(workload_text(again), text) << name;
  EXPECT_EQ(again.settings, workload.settings) << name;
}

TEST(WorkloadWriter, WritesEveryShippedWorkload) {
  const std::vector<std::string> files = shipped();
  ASSERT_GT(files.size(), 20u);
  for (const std::string& file : files) expect_the_same_again(load_workload(file, 5), file);
}

TEST(WorkloadWriter, WritesWhatFilesMaySayOfHosts) {
  expect_the_same_again(
      load_text(
          kKernels +
          std::string("managed: {m: {bytes: 4096}}\n"
                      "settings: {l2.mshrs: 48}\n"
                      "applications:\n"
                      "  - name: a\n"
                      "    sms: [0-3, 7]\n"
                      "    time_slice_us: 12.5\n"
                      "    streams: [{name: s, priority: -2}, {name: t, default: true}, {name: u, launches: [k]}]\n"
                      "    threads:\n"
                      "      - name: main\n"
                      "        calls:\n"
                      "          - {malloc: x, bytes: 1MiB}\n"
                      "          - {copy: host_to_device, bytes: 64KiB, to: x, stream: t, blocking: true}\n"
                      "          - {job: task, repeat: 3, period_us: 7.000000001, deadline_us: 5, "
                      "min_interarrival_us: 3, commands: "
                      "[{kernel: k, stream: s}, {record: e, stream: s}, {memset: 4KiB, to: x, stream: s}]}\n"
                      "          - {kernel: other, stream: s, repeat: 2, period_us: 3, min_interarrival_us: 2, grid: "
                      "7, sms: 2}\n"
                      "          - {kernel: k, stream: s, delay_us: 1.250000001}\n"
                      "          - {memset: 64, to: x, stream: t, delay_us: 2}\n"
                      "          - {wait_until_us: 3}\n"
                      "          - {barrier: 1}\n"
                      "      - name: second\n"
                      "        calls:\n"
                      "          - {kernel: k, stream: t, label: 'void f<3>(int, char)'}\n"
                      "          - {barrier: 1}\n"
                      "          - {loop: [{kernel: k, label: again, stream: t}, {host_us: 1}, "
                      "{synchronize: stream, stream: t}], count: 4, time_us: 100}\n"
                      "          - {synchronize: device}\n")),
      "hosts");
}

TEST(WorkloadWriter, WritesExaminerConfigurations) {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GPUTLM_SOURCE_DIR "/workloads/examiner")) {
    const RunInput input = load_run_input({entry.path().string()}, {});
    expect_the_same_again(input.workload, entry.path().string());
    ++files;
  }
  EXPECT_EQ(files, 8u);
}

TEST(WorkloadKeys, SayWhatTheyMeanAndInWhichUnit) {
  std::size_t keys = 0;
  for (const MapForm* const form : workload_forms()) {
    for (const MapForm::Key& key : form->keys()) {
      ++keys;
      EXPECT_NE(key.meaning, "") << form->name() << "." << key.name;
      const auto ends_with = [&](const std::string& end) {
        return key.name.size() > end.size() && key.name.compare(key.name.size() - end.size(), end.size(), end) == 0;
      };
      for (const auto& [end, unit] : {std::pair("_stride", "bytes"), {"_percent", "%"}, {"_cycles", "core cycles"}}) {
        if (ends_with(end)) {
          EXPECT_EQ(key.unit, unit) << form->name() << "." << key.name;
        }
      }
    }
  }
  EXPECT_GT(keys, 100u);
}

TEST(WorkloadWriter, TellsWhatOnlyCodeKnows) {
  class Opaque final : public Kernel {
   public:
    std::unique_ptr<BlockCode> code(std::uint64_t) override { return nullptr; }
  };
  Workload workload =
      load_text(kKernels + std::string("applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n"));
  workload.launches[0].kernel = std::make_shared<Opaque>();
  EXPECT_THROW(workload_yaml(workload, ""), InputError);
}

}  // namespace
}  // namespace gputlm
