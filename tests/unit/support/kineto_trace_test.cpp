// The writer of Kineto's traces against traces of PyTorch on a B200, an H100 and an MI300X, and, where these show nothing,
// against Kineto's source.
#include "tests/support/kineto_trace.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "tests/support/test_folder.h"

namespace gputlm {
namespace {

using captured::Direction;
using captured::kernel;
using captured::Memory;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// Events of a category, as they stand in the trace.
std::vector<json> of(const KinetoTrace& trace, const std::string& category) {
  std::vector<json> found;
  const json whole = json::parse(trace.text());
  for (const json& event : whole.at("traceEvents"))
    if (event.value("cat", "") == category && event.at("ph") == "X") found.push_back(event);
  return found;
}
std::vector<std::string> names(const KinetoTrace& trace, const std::string& category) {
  std::vector<std::string> all;
  for (const json& event : of(trace, category)) all.push_back(event.at("name"));
  return all;
}
std::vector<std::string> fields(const json& object) {
  std::vector<std::string> all;
  for (const auto& [name, value] : object.items()) all.push_back(name);
  return all;  // by name
}

TEST(KinetoTraces, TimesAreMicrosecondsWithThreeDigits) {
  KinetoTrace k;
  const auto t = k.thread();
  k.launch(t, {1'234, 56}, k.stream(7), kernel("k", {1}, {32}), {7'000'008, 7'001'009});
  EXPECT_THAT(k.text(), HasSubstr(R"("ts": 1400000000001.234, "dur": 0.056)"));
  EXPECT_THAT(k.text(), HasSubstr(R"("ts": 1400000007000.008, "dur": 1.001)"));
  EXPECT_EQ(json::parse(k.text()).at("baseTimeNanoseconds"), 1'700'000'000'000'000'000);
}

TEST(KinetoTraces, WhatEndsBeforeItStartsLastsNothing) {
  KinetoTrace k;
  k.launched_before(k.stream(7), kernel("k", {1}, {32}), {1'000, 500});
  EXPECT_THAT(k.text(), HasSubstr(R"("ts": 1400000000001.000, "dur": 0.000)"));
}

TEST(KinetoTraces, KernelsOfCudaHaveTheArgsThatCuptiGives) {
  KinetoTrace k;
  k.device();
  const auto t = k.thread();
  const auto gemm = kernel("gemm", {60, 2}, {128}).with_registers(40).with_shared_memory(1'024, 2'048);
  k.launch(t, {0}, k.stream(13, 0, 1), gemm, {10, 20});
  const json event = of(k, "kernel").at(0);
  EXPECT_EQ(event.at("pid"), 0);
  EXPECT_EQ(event.at("tid"), 13);
  EXPECT_EQ(event.at("args"), json::parse(R"({"queued": 0, "device": 0, "context": 1, "stream": 13, "correlation": 1,
      "registers per thread": 40, "shared memory": 3072, "blocks per SM": 4.0, "warps per SM": 16.0, "grid": [60, 2, 1],
      "block": [128, 1, 1], "est. achieved occupancy %": 50})"));
  const json call = of(k, "cuda_runtime").at(0);
  EXPECT_EQ(call.at("name"), "cudaLaunchKernel");
  EXPECT_EQ(call.at("tid"), 100);
  EXPECT_EQ(call.at("args"), json::parse(R"({"cbid": 211, "correlation": 1})"));
}

TEST(KinetoTraces, WithoutADeviceBlocksForAnSmAreText) {
  KinetoTrace k;
  k.launched_before(k.stream(7), kernel("k", {1}, {32}), {10, 20});
  EXPECT_EQ(of(k, "kernel").at(0).at("args").at("blocks per SM"), "inf");
}

TEST(KinetoTraces, CopiesOfCudaNameTheirMemory) {
  KinetoTrace k;
  const auto t = k.thread();
  const auto s = k.stream(7);
  k.copy(t, {0}, s, captured::host_to_device(4'096, Memory::kPageable), {10, 20});
  k.copy(t, {30}, s, captured::device_to_host(4'096), {40, 50});
  k.copy(t, {60}, s, captured::device_to_device(4'096), {70, 70});
  k.copy(t, {80}, s, captured::to_peer(4'096, 1), {90, 100});
  k.memset(t, {110}, s, 64, {120, 130});
  EXPECT_THAT(names(k, "gpu_memcpy"), ElementsAre("Memcpy HtoD (Pageable -> Device)", "Memcpy DtoH (Device -> Pinned)",
                                                  "Memcpy DtoD (Device -> Device)", "Memcpy PtoP (Device -> Device)"));
  EXPECT_THAT(names(k, "gpu_memset"), ElementsAre("Memset (Device)"));
  const std::vector<json> copies = of(k, "gpu_memcpy");
  EXPECT_EQ(copies[0].at("args").at("memory bandwidth (GB/s)"), 409.6);
  EXPECT_EQ(copies[2].at("args").at("memory bandwidth (GB/s)"), "N/A");
  EXPECT_EQ(copies[3].at("args").at("toDevice"), 1);
  EXPECT_FALSE(copies[3].at("args").contains("device"));
}

TEST(KinetoTraces, CallsOfTheDriverAreACategoryOfTheirOwn) {
  KinetoTrace k;
  const auto t = k.thread();
  k.launch(t, {0}, k.stream(7), kernel("triton", {1}, {32}), {10, 20}, "cuLaunchKernelEx");
  k.launch(t, {30}, k.stream(7), kernel("wide", {4}, {32}).in_clusters({2}), {40, 50});
  EXPECT_THAT(names(k, "cuda_driver"), ElementsAre("cuLaunchKernelEx"));
  EXPECT_THAT(names(k, "cuda_runtime"), ElementsAre("cudaLaunchKernelExC"));
}

TEST(KinetoTraces, WaitsAreEventsOnlyWhereTheyAreAskedFor) {
  for (const bool asked_for : {false, true}) {
    KinetoTrace k;
    if (asked_for) k.with_sync_events();
    const auto t = k.thread();
    const auto s = k.stream(7), other = k.stream(13), idle = k.stream(14);
    const auto record = k.record_event(t, {0}, s, 5);
    k.wait_event(t, {10}, other, record);
    k.wait_event(t, {20}, idle, record);
    k.synchronize_event(t, {30}, record);
    k.launch(t, {40}, other, kernel("k", {1}, {32}), {50, 60});
    k.synchronize_stream(t, {70}, s);
    k.synchronize_device(t, {80});
    EXPECT_EQ(of(k, "cuda_runtime").size(), 7u);
    const std::vector<json> waits = of(k, "cuda_sync");
    if (!asked_for) {
      EXPECT_THAT(waits, IsEmpty());
      continue;
    }
    // The wait of the stream without work is dropped, the other one stands at the end.
    EXPECT_THAT(names(k, "cuda_sync"), ElementsAre("Event Sync", "Stream Sync", "Context Sync", "Stream Wait Event"));
    EXPECT_EQ(waits[3].at("args"), json::parse(R"({"External id": 2, "cuda_sync_kind": "Stream Wait Event",
        "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 1, "wait_on_cuda_event_id": 5, "stream": 13,
        "correlation": 2, "device": 0, "context": 1})"));
    EXPECT_EQ(waits[0].at("args").at("stream"), -1);
    EXPECT_EQ(waits[0].at("tid"), 1);  // of -1 the sign is lost
    EXPECT_FALSE(waits[1].at("args").contains("wait_on_stream"));
  }
}

TEST(KinetoTraces, NodesOfAGraphHaveTheLaunchsCorrelation) {
  KinetoTrace k;
  k.with_graph_ids();
  const auto t = k.thread();
  k.launch_graph(t, {0},
                 {{kernel("a", {1}, {32}), k.stream(7), {10, 20}}, {kernel("b", {1}, {32}), k.stream(13), {10, 30}}});
  const std::vector<json> kernels = of(k, "kernel");
  EXPECT_EQ(kernels[0].at("args").at("correlation"), kernels[1].at("args").at("correlation"));
  EXPECT_EQ(kernels[1].at("args").at("graph node id"), (std::uint64_t{1} << 32) + 1);
}

TEST(KinetoTraces, OverheadHasNoThreadAndNoCall) {
  KinetoTrace k;
  k.overhead({10, 20}, captured::Overhead::kCommandBufferFull);
  const json event = of(k, "overhead").at(0);
  EXPECT_EQ(event.at("name"), "Command Buffer Full");
  EXPECT_EQ(event.at("pid"), -1);
  EXPECT_EQ(event.at("tid"), 0);
  EXPECT_FALSE(event.contains("args"));
}

TEST(KinetoTraces, WorkHasTheOperatorOfItsCall) {
  KinetoTrace k;
  const auto t = k.thread();
  k.op(t, "aten::linear", {0, 100}).op(t, "aten::mm", {10, 50});
  k.launch(t, {20}, k.stream(7), kernel("gemm", {1}, {32}), {200, 300});
  k.launch(t, {60}, k.stream(7), kernel("bias", {1}, {32}), {300, 400});
  k.launch(t, {110}, k.stream(7), kernel("loose", {1}, {32}), {400, 500});
  const std::vector<json> kernels = of(k, "kernel");
  EXPECT_EQ(kernels[0].at("args").at("External id"), 2);
  EXPECT_EQ(kernels[1].at("args").at("External id"), 1);
  EXPECT_FALSE(kernels[2].at("args").contains("External id"));
}

TEST(KinetoTraces, AnnotationsOfTheGpuAreWiderThanTheirWork) {
  KinetoTrace k;
  k.gpu_annotation(k.stream(7), "ProfilerStep#1", {1'000, 2'000});
  EXPECT_THAT(k.text(), HasSubstr(R"("ts": 1400000000000.999, "dur": 1.002)"));
}

TEST(KinetoTracesOfRocm, KernelsHaveLittleButTheirShape) {
  KinetoTrace k(KinetoTrace::Vendor::kRocm);
  const auto t = k.thread();
  k.launch(t, {0}, k.stream(0, 2), kernel("gemm", {8, 558}, {256}).with_shared_memory(1'024, 4'096), {10, 20});
  EXPECT_EQ(of(k, "kernel").at(0).at("args"),
            json::parse(R"({"device": 2, "stream": 0, "correlation": 1, "kind": "Dispatch Kernel", "grid": [8, 558, 1],
                "block": [256, 1, 1]})"));
  const json call = of(k, "cuda_runtime").at(0);
  EXPECT_EQ(call.at("name"), "hipLaunchKernel");
  EXPECT_EQ(call.at("args"), json::parse(R"({"kernel": "gemm", "cid": 107, "correlation": 1, "grid": [8, 558, 1],
                "block": [256, 1, 1], "shared memory": 4096})"));
}

TEST(KinetoTracesOfRocm, TheExtendedLaunchHasWorkItemsForAGrid) {
  KinetoTrace k(KinetoTrace::Vendor::kRocm);
  const auto t = k.thread();
  k.launch(t, {0}, k.stream(0), kernel("gemm", {786}, {256}), {10, 20}, "hipExtModuleLaunchKernel");
  EXPECT_EQ(of(k, "cuda_runtime").at(0).at("args").at("grid"), json::parse("[201216, 1, 1]"));
  EXPECT_EQ(of(k, "kernel").at(0).at("args").at("grid"), json::parse("[201216, 1, 1]"));
}

TEST(KinetoTracesOfRocm, KernelsOfAGraphHaveNoShape) {
  KinetoTrace k(KinetoTrace::Vendor::kRocm);
  const auto t = k.thread();
  k.launch_graph(t, {0},
                 {{kernel("a", {1}, {64}), k.stream(0), {10, 20}}, {kernel("b", {1}, {64}), k.stream(0), {20, 30}}});
  EXPECT_THAT(names(k, "cuda_runtime"), ElementsAre("hipGraphLaunch"));
  for (const json& event : of(k, "kernel"))
    EXPECT_EQ(event.at("args"),
              json::parse(R"({"device": 0, "stream": 0, "correlation": 1, "kind": "Dispatch Task"})"));
}

TEST(KinetoTracesOfRocm, CopiesSayWhatThePacketDidAndCallsWhatWasAsked) {
  KinetoTrace k(KinetoTrace::Vendor::kRocm);
  const auto t = k.thread();
  k.copy(t, {0}, k.stream(0), captured::host_to_device(13'248), {10, 20});
  k.copy(t, {30}, k.stream(0), captured::host_to_device(13'248), {40, 50}, Direction::kDeviceToDevice);
  EXPECT_THAT(names(k, "gpu_memcpy"), ElementsAre("Memcpy HtoD (Host -> Device)", "Memcpy DtoD (Device -> Device)"));
  for (const json& call : of(k, "cuda_runtime")) {
    EXPECT_EQ(call.at("args").at("kind"), "1");
    EXPECT_EQ(call.at("args").at("bytes"), "13248");
  }
  EXPECT_EQ(of(k, "gpu_memcpy").at(1).at("args").at("bytes"), 13'248);
}

TEST(KinetoTracesOfRocm, RecordsOfEventsAndWaitsAreNotWritten) {
  KinetoTrace k(KinetoTrace::Vendor::kRocm);
  k.with_sync_events();
  const auto t = k.thread();
  const auto s = k.stream(0);
  k.wait_event(t, {10}, s, k.record_event(t, {0}, s, 5));
  k.synchronize_stream(t, {20}, s);
  EXPECT_THAT(names(k, "cuda_runtime"), ElementsAre("hipStreamWaitEvent", "hipStreamSynchronize"));
  EXPECT_THAT(of(k, "cuda_sync"), IsEmpty());
}

TEST(KinetoTraces, DevicesAreDescribedAsTheVendorsAre) {
  KinetoTrace cuda, rocm(KinetoTrace::Vendor::kRocm);
  const json of_cuda = json::parse(cuda.device().text()), of_rocm = json::parse(rocm.device().text());
  EXPECT_EQ(of_cuda.at("deviceProperties")[0].at("warpSize"), 32);
  EXPECT_EQ(of_cuda.at("deviceProperties")[0].at("sharedMemPerMultiprocessor"), 65'536);
  EXPECT_EQ(of_rocm.at("deviceProperties")[0].at("warpSize"), 64);
  EXPECT_THAT(fields(of_rocm.at("deviceProperties")[0]), Not(testing::Contains("regsPerMultiprocessor")));
  EXPECT_TRUE(of_cuda.contains("cupti_version"));
  EXPECT_TRUE(of_rocm.contains("roctracer_version"));
}

TEST(KinetoTraces, AreObjectsOrBareArraysPlainOrPacked) {
  KinetoTrace k;
  k.launched_before(k.stream(7), kernel("k", {1}, {32}), {10, 20});
  EXPECT_EQ(json::parse(k.array_text()), json::parse(k.text()).at("traceEvents"));
  const TestFolder folder;
  k.write(folder.path("t.json"));
  k.write(folder.path("t.json.gz"));
  EXPECT_EQ(folder.read("t.json"), k.text());
  EXPECT_THAT(folder.read("t.json.gz"), StartsWith("\x1F\x8B"));
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(folder.path("t.json.gz").c_str(), "rb"), gzclose);
  std::string unpacked(k.text().size() + 1, '\0');
  const int size = gzread(file.get(), unpacked.data(), static_cast<unsigned>(unpacked.size()));
  unpacked.resize(static_cast<std::size_t>(std::max(size, 0)));
  EXPECT_EQ(unpacked, k.text());
}

}  // namespace
}  // namespace gputlm
