// Result files in the form of cuda_scheduling_examiner.
#include <gtest/gtest.h>

#include "platform/programs/observation.h"
#include "tests/support/examiner_result_writer.h"
#include "tests/unit/kernel/sass_test_files.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using written::ExaminerKernelTimes;
using written::ExaminerResultWriter;

constexpr std::uint64_t kStart = 1'600'000'000'000'000'000;  // of a globaltimer that counts from 1970 on
constexpr double kHost = 5000;                               // of the host's clock, in seconds
constexpr int kResident = 2 * 2048;

class ExaminerResultFiles : public testing::Test {
 protected:
  ExaminerResultFiles() {
    writer.starting_gpu_clock = kStart;
    writer.starting_seconds = kHost;
  }
  /// A block each: from and to, in ms since the tool's start.
  static ExaminerKernelTimes kernel(const std::string& name, const std::vector<std::pair<unsigned, unsigned>>& blocks) {
    ExaminerKernelTimes times{name, 1024, 16384, {kHost, kHost + 1e-5, 0}, {}, {}};
    for (const auto& [from, to] : blocks) {
      times.block_times.emplace_back(kStart + 1'000'000 * from, kStart + 1'000'000 * to);
      times.block_smids.push_back(static_cast<unsigned>(times.block_smids.size() % 2));
    }
    return times;
  }
  std::string write(const std::string& name, const char* benchmark, const std::string& label,
                    const std::vector<std::vector<ExaminerKernelTimes>>& iterations) {
    std::string text = writer.header("a scenario", benchmark, label, kResident, 0, 0, 4711, 4712);
    for (const std::vector<ExaminerKernelTimes>& kernels : iterations) {
      text += ExaminerResultWriter::iteration(0.001, 0.001, 0.02, 0.021);
      for (const ExaminerKernelTimes& times : kernels) text += writer.kernel(times);
    }
    return folder.write(name, text + ExaminerResultWriter::footer());
  }
  static Observation observe(const std::vector<std::string>& paths) {
    Observation model;
    model.capacity = SmCapacity{2, 2048};
    return measurement_formats().at("results of cuda_scheduling_examiner").read(paths, {}, model);
  }

  ExaminerResultWriter writer;
  TestFolder folder;
};

TEST_F(ExaminerResultFiles, AreReadAsTheToolWritesThem) {
  auto waited = kernel("K", {{10, 12}, {11, 13}, {12, 14}});
  waited.launch[2] = kHost + 0.015;
  write("b_1.json", "Multi-kernel submission", "named", {{waited}, {kernel("K", {{20, 21}}), kernel("", {{22, 23}})}});
  write("timer_spin.so_0.json", "Timer Spin", "", {{kernel("GPUSpin", {{1, 3}})}});
  const Observation observed = observe({folder.path("")});
  EXPECT_EQ(observed.warnings, std::vector<std::string>{});
  for (const BrokenRule& rule : observed.broken_rules) ADD_FAILURE() << rule.rule << ": " << rule.what;
  ASSERT_EQ(observed.kernels.size(), 4u);
  const ObservedCommand& spin = observed.kernels[0];
  EXPECT_EQ(spin.label, "timer_spin_0") << "without a label, the file's name";
  EXPECT_EQ(spin.name, "GPUSpin");
  EXPECT_EQ(spin.start_ns, 1e6);
  EXPECT_EQ(spin.end_ns, 3e6);
  const ObservedCommand& first = observed.kernels[1];
  EXPECT_EQ(first.label, "K");
  EXPECT_EQ(first.stream, "named");
  ASSERT_EQ(first.blocks.size(), 3u);
  EXPECT_EQ(first.blocks[1].sm, 1u);
  EXPECT_EQ(first.blocks[1].start_ns, 11e6);
  EXPECT_EQ(first.blocks[2].end_ns, 14e6);
  EXPECT_EQ(observed.kernels[2].label, "K@2");
  EXPECT_EQ(observed.kernels[3].label, "named@2") << "a kernel without a name";
}

TEST_F(ExaminerResultFiles, TimesOfTheHostAreJudgedWhereThePluginSetsThem) {
  auto late = kernel("K", {{10, 12}});
  late.launch[2] = kHost + 0.011;
  auto unset = kernel("L", {{13, 14}});
  unset.launch[0] = unset.launch[1] = 0;  // written as minus the host's clock
  const Observation observed = observe({write("a_0.json", "Multi-kernel submission", "", {{late, unset}})});
  EXPECT_EQ(observed.warnings, std::vector<std::string>{});
  ASSERT_EQ(observed.broken_rules.size(), 1u);
  EXPECT_EQ(observed.broken_rules[0].rule, "a block ends before the host knows of the end of its kernel");
}

TEST_F(ExaminerResultFiles, TimesThatCannotBeAreLeftOutAndCounted) {
  auto holes = kernel("K", {{10, 12}, {11, 13}, {12, 14}, {12, 15}});
  holes.block_times[1].second = 0;                                // the block has not ended
  holes.block_times[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};  // nor has this one begun: cudaMemset to 0xff
  holes.block_smids[3] = 5;
  auto cycles = kernel("L", {{0, 0}, {0, 0}});
  for (auto& times : cycles.block_times) times = {123'456'789, 123'999'999};  // clock64() of matrix_multiply
  const std::string path = write("a_0.json", "Multi-kernel submission", "", {{holes, cycles, kernel("M", {{20, 21}})}});
  const Observation observed = observe({path});
  ASSERT_EQ(observed.warnings.size(), 1u);
  EXPECT_EQ(observed.warnings[0], path + ": 4 blocks with impossible times left out; the first: " + path +
                                      ", times, entry 3: block 1 of K ends at 16846744073.70955 s");
  ASSERT_EQ(observed.kernels.size(), 2u) << "of L there is nothing";
  ASSERT_EQ(observed.kernels[0].blocks.size(), 2u);
  EXPECT_EQ(observed.kernels[0].blocks[1].block, 3u);
  EXPECT_EQ(observed.kernels[0].end_ns, 15e6);
  EXPECT_EQ(observed.kernels[1].label, "M");
  ASSERT_EQ(observed.broken_rules.size(), 1u) << "the rules are those of what is left";
  EXPECT_EQ(observed.broken_rules[0].what, "K block 3 is on SM 5");
}

TEST_F(ExaminerResultFiles, WithNothingLeftAreRefused) {
  auto cycles = kernel("matrix_multiply", {{0, 0}});
  cycles.block_times[0] = {123'456'789, 123'999'999};
  const std::string path = write("a_0.json", "Matrix Multiply", "", {{cycles}});
  try {
    observe({path});
    FAIL() << "nothing is thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("has no kernels: 1 block with impossible times left out; the first: " + path +
                        ", times, entry 3: block 0 of a_0 starts at 16846744073"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gputlm
