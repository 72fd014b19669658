// Traces of PyTorch's profiler: what is read of them, and what becomes a workload.
#include "platform/measured/kineto.h"

#include <gmock/gmock.h>

#include "platform/input/run_input.h"
#include "platform/measured/measurement.h"
#include "tests/integration/kineto_files.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kOneBlock = R"("grid": [1, 1, 1], "block": [32, 1, 1])";

class Kineto : public testing::Test {
 protected:
  MeasuredTimeline read(const KinetoText& trace, std::optional<std::uint64_t> device = std::nullopt) {
    return read_kineto(folder.write("t.json", trace.text()), device);
  }
  std::string error(const std::string& text) {
    return error_of([&] { read_kineto(folder.write("bad.json", text)); });
  }

  TestFolder folder;
};

TEST_F(Kineto, KernelsHaveNamesShapesAndTimes) {
  const MeasuredTimeline timeline = read(KinetoText()
                                             .call("5.500", 1)
                                             .call("6.000", 2)
                                             .kernel("void ns::gemm<float>(float*, int)", "10.125", "20.500",
                                                     R"("grid": [60, 2, 1], "block": [128, 1, 2])", 1)
                                             .kernel("fill(int*)", "40", "1", kOneBlock, 2, 13));
  EXPECT_EQ(timeline.gpu.name, "RTX 2060");
  EXPECT_EQ(timeline.gpu.sms, 30u);
  EXPECT_EQ(timeline.gpu.warps, 32u);
  EXPECT_EQ(timeline.gpu.registers, 65536u);
  EXPECT_EQ(timeline.gpu.shared_memory, 65536u);
  ASSERT_EQ(timeline.kernels.size(), 2u);
  const MeasuredKernel& first = timeline.kernels[0];
  EXPECT_EQ(first.label, "gemm");
  EXPECT_THAT((std::vector<unsigned>{first.grid.x, first.grid.y, first.grid.z}), ElementsAre(60, 2, 1));
  EXPECT_THAT((std::vector<unsigned>{first.block.x, first.block.y, first.block.z}), ElementsAre(128, 1, 2));
  EXPECT_EQ(first.registers, 40u);
  EXPECT_EQ(first.shared_memory, 2048u);
  EXPECT_EQ(first.start, 10'125);
  EXPECT_EQ(first.end, 30'625);
  EXPECT_EQ(first.launched, 5'500);
  EXPECT_EQ(timeline.kernels[1].start, 40'000) << "whole microseconds";
  ASSERT_EQ(timeline.streams.size(), 2u);
  EXPECT_EQ(timeline.streams[0].id, 7u);
  EXPECT_EQ(timeline.streams[0].context, 1u);
  EXPECT_THAT(timeline.process_names, ElementsAre("python"));
  EXPECT_THAT(timeline.warnings, IsEmpty());
}

TEST_F(Kineto, TimesSince1970AreExactToTheNanosecond) {
  const MeasuredTimeline timeline = read(KinetoText()
                                             .call("1716223345123450.001", 1)
                                             .kernel("a", "1716223345123456.789", "0.001", kOneBlock, 1)
                                             .kernel("b", "\"1716223345123457.123\"", "\"2\"", kOneBlock, 1));
  EXPECT_EQ(timeline.kernels[0].start, 1'716'223'345'123'456'789);
  EXPECT_EQ(timeline.kernels[0].end - timeline.kernels[0].start, 1);
  EXPECT_EQ(timeline.kernels[0].launched, 1'716'223'345'123'450'001);
  EXPECT_EQ(timeline.kernels[1].start, 1'716'223'345'123'457'123) << "as a text";
  EXPECT_EQ(timeline.kernels[1].end, 1'716'223'345'123'459'123);
}

TEST_F(Kineto, CommandsAreInTheOrderOfTheirStartsWhateverThatOfTheFile) {
  const MeasuredTimeline timeline = read(
      KinetoText().kernel("late", "30", "1").kernel("early", "10", "1").copy("Memset (Device)", "20", R"("bytes": 8)"));
  EXPECT_EQ(timeline.kernels[0].label, "early");
  EXPECT_EQ(timeline.kernels[1].label, "late");
}

TEST_F(Kineto, CopiesHaveBytesAndKindsAndWhatCannotBeIsNamed) {
  const MeasuredTimeline timeline =
      read(KinetoText()
               .call("1", 1)
               .kernel("k", "100", "1", kOneBlock, 1)
               .copy("Memcpy HtoD (Pageable -> Device)", "10", R"("bytes": 4096, "correlation": 1)")
               .copy("Memcpy DtoH (Device -> Pinned)", "20", R"("bytes": 8, "correlation": 1)")
               .copy("Memset (Device)", "30", R"("bytes": 77, "correlation": 1)")
               .copy("Memcpy DtoD (Device -> Device)", "40", R"("bytes": 9, "correlation": 1)")
               .copy("Memcpy PtoP (Device -> Device)", "50", R"("bytes": 9)")
               .copy("Memcpy HtoD (Pinned -> Device)", "60", R"("correlation": 1)"));
  std::vector<std::string> labels;
  for (const MeasuredCopy& copy : timeline.copies) labels.push_back(copy.label);
  EXPECT_THAT(labels, ElementsAre("host_to_device#1", "device_to_host#2", "memset#3", "device_to_device#4"));
  EXPECT_TRUE(timeline.copies[0].pageable);
  EXPECT_FALSE(timeline.copies[1].pageable);
  EXPECT_EQ(timeline.copies[2].bytes, 77u);
  EXPECT_THAT(timeline.warnings, ElementsAre(HasSubstr("commands from GPU to GPU are left out: 1"),
                                             HasSubstr("that do not say how many bytes are left out: 1")));
}

TEST_F(Kineto, TheDeviceWithTheMostKernelsIsTaken) {
  const auto trace = KinetoText()
                         .kernel("a", "10", "1", kOneBlock, 0, 7, 0)
                         .kernel("b", "20", "1", kOneBlock, 0, 7, 3)
                         .kernel("c", "30", "1", kOneBlock, 0, 7, 3);
  const MeasuredTimeline timeline = read(trace);
  EXPECT_EQ(timeline.kernels.size(), 2u);
  EXPECT_FALSE(timeline.gpu.sms.has_value()) << "there is nothing about device 3";
  EXPECT_THAT(timeline.warnings[0], HasSubstr("devices 0, 3; taken are those of device 3 (--device)"));
  EXPECT_EQ(read(trace, 0).kernels.size(), 1u);
  EXPECT_THAT(error_of([&] { read(trace, 2); }), HasSubstr("--device: found 2, allowed: 0, 3"));
}

TEST_F(Kineto, EarlierSpellingsAreRead) {
  const std::string text = R"json({"schemaVersion": 1, "computeProperties": [{"id": 0, "name": "V100",
    "maxThreadsPerMultiProcessor": 2048, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 98304,
    "multiProcessorCount": 80}], "traceEvents": [
    {"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 24572, "tid": "24572", "ts": 1000, "dur": 21,
     "args": {"correlation": 334}},
    {"ph": "X", "cat": "Kernel", "name": "_Z4fillPi", "pid": 0, "tid": "stream 7", "ts": 1100, "dur": 5,
     "args": {"queued": 0, "device": 0, "context": 1, "correlation": 334, "registers per thread": 16,
              "shared memory": 0, "grid": [10, 1, 1], "block": [256, 1, 1]}},
    {"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0, "tid": "stream 7", "ts": 1200, "dur": 5,
     "args": {"correlation": 334, "bytes": 64}}]
})json";
  const MeasuredTimeline timeline = read_kineto(folder.write("old.json", text));
  EXPECT_EQ(timeline.gpu.sms, 80u);
  EXPECT_EQ(timeline.gpu.warps, 64u);
  EXPECT_EQ(timeline.kernels.at(0).label, "fill");
  EXPECT_EQ(timeline.kernels[0].launched, 1'000'000);
  EXPECT_EQ(timeline.streams.at(0).id, 7u);
  EXPECT_EQ(timeline.copies.size(), 1u);
  EXPECT_THAT(timeline.process_names, ElementsAre("process 24572"));
}

TEST_F(Kineto, WhatIsNotSaidIsAssumedAndTold) {
  const MeasuredTimeline timeline = read(KinetoText()
                                             .event(R"("ph": "X", "cat": "kernel", "name": "bare", "ts": 1, "dur": 1)")
                                             .event(R"("ph": "X", "cat": "kernel", "name": "timeless", "ts": 2)")
                                             .kernel("graph", "3", "1", kOneBlock, 0, 7, 0, R"(, "graph node id": 5)"));
  ASSERT_EQ(timeline.kernels.size(), 2u);
  EXPECT_EQ(timeline.kernels[0].block.x, 32u);
  EXPECT_THAT(
      timeline.warnings,
      ElementsAre(HasSubstr("has no cuda_runtime events; when the host launched is taken as when the GPU began"),
                  HasSubstr("1 kernels do not say 'registers per thread'; assumed: 0"),
                  HasSubstr("1 kernels do not say 'shared memory'; assumed: 0"),
                  HasSubstr("1 kernels do not say a block; assumed: 32 threads"),
                  HasSubstr("1 kernels do not say a grid; assumed: one block"),
                  HasSubstr("commands without ts or dur are left out: 1"),
                  HasSubstr("1 kernels are nodes of CUDA graphs")));
  EXPECT_THAT(
      read(KinetoText().call("1", 1).kernel("a", "2", "1", kOneBlock, 1).kernel("b", "3", "1", kOneBlock, 2)).warnings,
      ElementsAre(HasSubstr("1 kernels and copies have no cuda_runtime event")));
}

TEST_F(Kineto, EventsThatCannotBeAreRefusedWithTheirPlace) {
  for (const auto& [shape, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("grid": [0, 1, 1], "block": [1, 1, 1])", "found grid 0, allowed: 1 to 2147483647"},
           {R"("grid": [1, 1, 1], "block": [1025, 1, 1])", "found block 1025, allowed: 1 to 1024"},
           {R"("grid": [1, 1, 1], "block": [1024, 2, 1])", "found a block of 2048 threads"},
           {R"("grid": [1, 1], "block": [1, 1, 1])", "found grid [1,1], allowed: [x, y, z]"},
           {R"("grid": [1, "x", 1], "block": [1, 1, 1])", "found grid \"x\", allowed: numbers"}}) {
    EXPECT_THAT(error(KinetoText().kernel("k", "1", "1", shape).text()), HasSubstr("traceEvents, event 3: " + message));
  }
  EXPECT_THAT(error(KinetoText().kernel("k", "1", "-1").text()), HasSubstr("event 3: it ends before it starts"));
  EXPECT_THAT(error(KinetoText().kernel("k", "1", "1").kernel("l", "1e12", "1").text()),
              HasSubstr("'l' ends more than an hour after the first command starts"));
}

TEST_F(Kineto, FilesThatAreNoneAreRefused) {
  EXPECT_THAT(error("{\"traceEvents\": [}"), AllOf(HasSubstr("bad.json: is no JSON"), HasSubstr("line 1, column 18")));
  EXPECT_THAT(error(KinetoText().text()), HasSubstr("has no kernels; needed is"));
  EXPECT_THAT(error("{\"deviceProperties\": []}"), HasSubstr("has no traceEvents"));
  EXPECT_THAT(error(gzip(KinetoText().text()).substr(0, 200)), HasSubstr("the gzip data is truncated"));
  EXPECT_THAT(error_of([&] { read_kineto(folder.path("none.json")); }), HasSubstr("none.json: cannot be opened"));
}

TEST_F(Kineto, IsToldFromOtherJsonByItsContent) {
  const std::string text = KinetoText().kernel("k", "1", "10").text();
  for (const auto& [name, content] :
       std::map<std::string, std::string>{{"a.json", text}, {"a.json.gz", gzip(text)}, {"no ending", text}}) {
    const RunInput input = load_run_input({folder.write(name, content)}, {});
    EXPECT_EQ(input.format, "capture") << name;
    EXPECT_EQ(input.workload.launches.size(), 1u);
    const Observation observed = observe({folder.path(name)}, {}, {});
    EXPECT_EQ(observed.kernels.at(0).duration_ns(), 10'000);
  }
  const std::string workload =
      R"({"kernels": {"k": {"grid": 1, "block": 32, "program": ["int"]}},
          "applications": [{"name": "a", "streams": [{"name": "s", "launches": ["k"]}]}]})";
  EXPECT_EQ(load_run_input({folder.write("w.json", workload)}, {}).format, "workload file");
}

}  // namespace
}  // namespace gputlm
