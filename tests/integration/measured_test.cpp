// Measured timelines: replayed and compared by the commands of a user.

#include "tests/integration/program.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/nsight_export.h"

namespace gputlm {
namespace {

using captured::kernel;

struct KernelOfTest {
  const char* name;
  std::int64_t start, end;
  unsigned grid, block, registers = 16, shared = 0;
};

/// Kernels of all kinds one after the other: a block, a wave, several, many short blocks, large ones.
const std::vector<KernelOfTest> kMeasuredKernels = {{"one", 110'000, 160'000, 1, 64},
                                                    {"wave", 170'000, 190'000, 100, 128, 32},
                                                    {"waves", 200'000, 500'000, 2000, 256, 40, 8192},
                                                    {"large", 510'000, 600'000, 400, 1024, 64},
                                                    {"short", 610'000, 660'000, 9000, 32},
                                                    {"brief", 670'000, 675'000, 60, 96}};

/// On a GPU with the SMs of `rtx2060`.
NsightExport measured_kernels() {
  NsightExport e(NsightVersion::k2026_2);
  const auto t = e.gpu().thread(100);
  const auto s = e.stream(13);
  e.copy(t, {50'000}, s, captured::host_to_device(65'536), {101'000, 108'000});
  std::int64_t called = 60'000;
  for (const KernelOfTest& k : kMeasuredKernels)
    e.launch(t, {called += 3'000}, s,
             kernel(k.name, {k.grid}, {k.block}).with_registers(k.registers).with_shared_memory(0, k.shared),
             {k.start, k.end});
  return e;
}

double microseconds(const nlohmann::json& kernel) {
  return (kernel.at("end_cycle").get<double>() - kernel.at("first_block_cycle").get<double>()) / 1365;
}

TEST(Measured, KernelsLastAsMeasuredWithinAPercent) {
  const TestFolder folder;
  measured_kernels().write(folder.path("t.sqlite"));
  const FinishedRun run = run_workload(folder.path("t.sqlite"), {"--release", "launch"});
  ASSERT_EQ(run.result.at("kernels").size(), kMeasuredKernels.size());
  for (std::size_t i = 0; i < kMeasuredKernels.size(); ++i) {
    const KernelOfTest& k = kMeasuredKernels[i];
    const double measured = static_cast<double>(k.end - k.start) / 1e3;
    EXPECT_NEAR(microseconds(run.result.at("kernels").at(i)), measured, 0.01 * measured) << k.name;
  }
  EXPECT_EQ(run.result.at("warnings").size(), 0u) << run.result.at("warnings");
}

TEST(Measured, ReleasesAreAnOption) {
  const TestFolder folder;
  NsightExport e(NsightVersion::k2026_2);
  const auto t = e.gpu().thread(100);
  const auto s = e.stream(13);
  e.launch(t, {1'000, 500}, s, kernel("a", {1}, {64}), {100'000, 110'000});
  e.launch(t, {2'000, 500}, s, kernel("b", {1}, {64}), {200'000, 210'000});
  e.write(folder.path("t.sqlite"));
  const auto second = [&](const std::vector<std::string>& options) {
    const FinishedRun run = run_workload(folder.path("t.sqlite"), options);
    return run.result.at("kernels").at(1).at("first_block_cycle").get<double>() / 1365;
  };
  EXPECT_NEAR(second({"--release", "launch"}), 11, 1) << "launched in time, it waits for its stream only";
  EXPECT_NEAR(second({"--release", "start"}), 100, 1);
  EXPECT_NEAR(second({"--release", "none"}), 11, 1);
  const Outcome wrong = run_program({"run", folder.path("t.sqlite"), "--release", "never"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("program, launch, start, none"), std::string::npos) << wrong.err;
}

TEST(Measured, ARunIsComparedWithItsTimeline) {
  const TestFolder folder;
  measured_kernels().write(folder.path("t.sqlite"));
  ASSERT_EQ(run_program({"run", folder.path("t.sqlite"), "--release", "start", "--out", folder.path("run")}).code, 0);
  const Outcome compared =
      run_program({"compare", folder.path("run"), folder.path("t.sqlite"), "--out", folder.path("compared"), "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  const auto json = nlohmann::json::parse(compared.out);
  EXPECT_EQ(json.at("errors").at("kernels").at("count"), 6);
  EXPECT_EQ(json.at("errors").at("copies").at("count"), 1);
  EXPECT_LT(json.at("errors").at("kernels").at("duration_relative").at("max"), 0.01);
  EXPECT_LT(json.at("errors").at("kernels").at("start_ns").at("max"), 2000);
  EXPECT_EQ(compared.out, read_file(folder.path("compared/comparison.json")));
  EXPECT_NE(read_file(folder.path("compared/comparison.csv")).find("\nwaves,kernel,stream 13,90000.000,"),
            std::string::npos);
  EXPECT_EQ(run_program({"compare", folder.path("run"), folder.path("none")}).code, 2);
}

TEST(Measured, ATraceOfPyTorchsProfilerIsRunAndCompared) {
  const TestFolder folder;
  KinetoTrace k;
  const auto t = k.device().thread();
  k.copy(t, {5'000}, k.stream(7), captured::host_to_device(65'536), {10'000, 17'000});
  k.launch(t, {50'000}, k.stream(7), kernel("void ns::gemm<float>(float*, int)", {100}, {128}).with_registers(40),
           {70'000, 160'500});
  k.launch(t, {60'000}, k.stream(13), kernel("fill(int*)", {2000}, {256}), {200'000, 500'000});
  const std::string path = folder.path("trace.json");
  k.write(path);
  const Outcome run = run_program({"run", path, "--release", "start", "--out", folder.path("run")});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("does not say what an SM of NVIDIA GeForce RTX 2060 holds (blocks)"), std::string::npos)
      << run.err;
  const Outcome compared = run_program({"compare", folder.path("run"), path, "--device", "0", "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  const auto errors = nlohmann::json::parse(compared.out).at("errors");
  EXPECT_EQ(errors.at("kernels").at("count"), 2);
  EXPECT_EQ(errors.at("copies").at("count"), 1);
  EXPECT_LT(errors.at("kernels").at("duration_relative").at("max"), 0.01);
  EXPECT_LT(errors.at("kernels").at("start_ns").at("max"), 2000);
  const Outcome converted = run_program({"convert", path, "--release", "launch"});
  EXPECT_NE(converted.out.find("gemm"), std::string::npos) << converted.err;
  const Outcome refused = run_program({"run", folder.write("bad.json", read_file(path).substr(0, 900))});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("bad.json: is no JSON of PyTorch's profiler"), std::string::npos) << refused.err;
}

TEST(Measured, TwoRunsAreComparedBlockByBlock) {
  const TestFolder folder;
  for (const char* order : {"ascending", "evens_then_odds"}) {
    ASSERT_EQ(run_program({"run", workload_file("mixed.yaml"), "--set",
                           std::string("work_distributor.sm_order=") + order, "--out", folder.path(order)})
                  .code,
              0);
  }
  const auto placement = [&](const char* other) {
    const Outcome out = run_program({"compare", folder.path("ascending"), folder.path(other), "--json"});
    EXPECT_EQ(out.code, 0) << out.err;
    return nlohmann::json::parse(out.out).at("placement");
  };
  EXPECT_EQ(placement("ascending").at("same_sm"), 1.0);
  EXPECT_LT(placement("evens_then_odds").at("same_sm"), 1.0);
}

TEST(Measured, TimesOfKernelsAreComparedInCyclesOrNanoseconds) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml",
                                            "kernels: {k: {grid: 1, block: 32, program: [spin: {us: 10}]}}\n"
                                            "applications: [{name: a, streams: [{name: s, launches: [k, k]}]}]\n");
  // 10 us at 1365 MHz, and the exit; the launch is fetched meanwhile.
  const std::vector<std::string> latencies = {"--set", "work_distributor.kernel_launch_latency=1000", "--set",
                                              "work_distributor.kernel_completion_latency=349"};
  std::vector<std::string> command = {"run", workload, "--out", folder.path("run")};
  command.insert(command.end(), latencies.begin(), latencies.end());
  ASSERT_EQ(run_program(command).code, 0);
  const auto compared = [&](const std::string& csv) {
    return run_program(
        {"compare", folder.path("run"), folder.write("m.csv", csv), "--json", "--out", folder.path("c")});
  };
  const Outcome cycles = compared("kernel,cycles\nk,15000\nk,30000\n");
  ASSERT_EQ(cycles.code, 0) << cycles.err;
  const auto json = nlohmann::json::parse(cycles.out);
  EXPECT_NEAR(json.at("commands").at(0).at("error").at("duration_relative").get<double>(), 0, 0.001)
      << "launch and completion are part of what a profiler reports";
  EXPECT_NEAR(json.at("errors").at("kernels").at("duration_relative").at("mean").get<double>(), 0.25, 0.001);
  EXPECT_FALSE(json.at("errors").at("kernels").contains("start_ns"));
  const Outcome ns = compared("# a GPU\nkernel,ns\nk,10989.0\nk,10989.0\n");
  ASSERT_EQ(ns.code, 0) << ns.err;
  EXPECT_LT(nlohmann::json::parse(ns.out).at("errors").at("kernels").at("duration_relative").at("max").get<double>(),
            0.001);
  EXPECT_NE(compared("kernel,ns\nk,0\n").err.find("a number above 0"), std::string::npos);
  EXPECT_EQ(compared("kernel,ns,cycles\nk,1,1\n").code, 2);
  EXPECT_EQ(compared("kernel,ns\n").code, 2);
}

TEST(Measured, PlacementsAreComparedByConfiguration) {
  const TestFolder folder;
  const std::string run = folder.write("w.yaml",
                                       "kernels: {k: {grid: 3, block: 32, program: [spin: {us: 10}]}}\n"
                                       "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  ASSERT_EQ(run_program({"run", run, "--out", folder.path("run")}).code, 0);
  const std::string csv =
      folder.write("p.csv",
                   "# Some GPU sms=30\nconfig,launch,stream,priority,threads,shared,block,sm,start_ns,end_ns\n"
                   "other,0,0,0,32,0,0,9,1000,11000\n"
                   "three,0,0,0,32,0,0,0,1000,11000\nthree,0,0,0,32,0,1,2,1000,11000\n"
                   "three,0,0,0,32,0,2,1,1000,11000\n");
  const Outcome out = run_program({"compare", folder.path("run"), csv, "--config", "three"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_NE(out.out.find("3 blocks: 33.33% on the same SM, 100.00% if the SMs are given other numbers"),
            std::string::npos)
      << out.out;
  EXPECT_NE(run_program({"compare", folder.path("run"), csv}).err.find("--config other"), std::string::npos);
  EXPECT_NE(run_program({"compare", folder.path("run"), csv, "--config", "thre"}).err.find("did you mean 'three'"),
            std::string::npos);
}

}  // namespace
}  // namespace gputlm
