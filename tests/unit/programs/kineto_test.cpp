// Reading traces of PyTorch's profiler on CUDA. They have Kineto's form (tests/support/kineto_trace.h); texts of older versions
// are in this file.
#include "platform/programs/capture.h"

#include <gmock/gmock.h>

#include "tests/support/kineto_trace.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using captured::kernel;
using captured::Memory;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Time 0 of the writer's traces, in nanoseconds.
constexpr Nanoseconds kZero = 1'400'000'000'000'000;

class Kineto : public testing::Test {
 protected:
  Program read(const KinetoTrace& trace, std::optional<std::uint64_t> device = std::nullopt) {
    return read_text(trace.text(), device);
  }
  Program read_text(const std::string& text, std::optional<std::uint64_t> device = std::nullopt) {
    folder.write("t.json", text);
    return capture_formats().at("PyTorch's profiler").read(folder.path("t.json"), device);
  }
  std::string error(const std::string& text) {
    return error_of([&] { read_text(text); });
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no " + from + " in " + text);
    return text.replace(at, from.size(), to);
  }

  TestFolder folder;
  KinetoTrace k;
};

TEST_F(Kineto, KernelsHaveNamesShapesAndTimes) {
  const auto t = k.device().thread();
  const auto gemm = kernel("void ns::gemm<float>(float*, int)", {60, 2}, {128, 1, 2}).with_registers(40);
  k.launch(t, {5'500}, k.stream(7), gemm.with_shared_memory(1024, 2048), {10'125, 30'625});
  k.launch(t, {8'000}, k.stream(13), kernel("fill(int*)", {1}, {32}), {40'000, 41'000});
  const Program program = read(k);
  EXPECT_EQ(program.gpu.name, "NVIDIA GeForce RTX 2060");
  EXPECT_EQ(program.gpu.sms, 30u);
  EXPECT_EQ(program.gpu.warps, 32u);
  EXPECT_EQ(program.gpu.registers, 65'536u);
  EXPECT_EQ(program.gpu.shared_memory, 65'536u);
  EXPECT_FALSE(program.gpu.blocks) << "it does not say how many blocks an SM holds";
  ASSERT_THAT(labels(program), ElementsAre("gemm", "fill"));
  const MeasuredCommand& first = program.commands[0];
  EXPECT_EQ(text_of(first.kernel()->grid), "60 x 2 x 1");
  EXPECT_EQ(text_of(first.kernel()->block), "128 x 1 x 2");
  EXPECT_EQ(first.kernel()->registers, 40u);
  EXPECT_EQ(first.kernel()->shared_memory, 3072u);
  EXPECT_EQ(first.start, kZero + 10'125);
  EXPECT_EQ(first.end, kZero + 30'625);
  EXPECT_EQ(first.called, kZero + 5'500);
  ASSERT_EQ(program.streams.size(), 2u);
  EXPECT_EQ(program.streams[0].id, 7u);
  EXPECT_EQ(program.streams[0].context, 1u);
  EXPECT_EQ(program.streams[0].process, 100u);
  ASSERT_EQ(program.threads.size(), 1u);
  EXPECT_EQ(program.threads[0].name, "thread 100 (python)");
  EXPECT_THAT(calls(program), ElementsAre("gemm", "fill"));
  EXPECT_THAT(program.process_names, ElementsAre("python"));
  EXPECT_THAT(notes(program), IsEmpty());
  EXPECT_THAT(program.warnings, IsEmpty());
}

TEST_F(Kineto, CommandsAreInTheOrderOfTheirStartsWhateverThatOfTheFile) {
  k.launched_before(k.stream(7), kernel("late", {1}, {32}), {30'000, 31'000});
  k.launched_before(k.stream(7), kernel("early", {1}, {32}), {10'000, 11'000});
  k.memset(k.thread(), {1'000}, k.stream(7), 8, {20'000, 21'000});
  EXPECT_THAT(labels(read(k)), ElementsAre("early", "memset#1", "late"));
}

TEST_F(Kineto, CopiesHaveBytesAndKindsAndThoseOfOthersAreLeftOut) {
  const auto t = k.thread();
  const auto s = k.stream(7);
  k.launch(t, {500}, s, kernel("k", {1}, {32}), {100'000, 101'000});
  k.copy(t, {3'500}, s, captured::host_to_device(4096, Memory::kPageable), {10'000, 11'000});
  k.copy(t, {6'500}, s, captured::device_to_host(8), {20'000, 21'000});
  k.memset(t, {9'500}, s, 77, {30'000, 31'000});
  k.copy(t, {12'500}, s, captured::device_to_device(5'000'000'000), {40'000, 41'000});
  k.copy(t, {15'500}, s, captured::to_peer(9, 1), {50'000, 51'000});
  const Program program = read(k);
  ASSERT_THAT(labels(program),
              ElementsAre("host_to_device#1", "device_to_host#2", "memset#3", "device_to_device#4", "k"));
  EXPECT_TRUE(program.commands[0].copy()->pageable);
  EXPECT_EQ(program.commands[0].copy()->bytes, 4096u);
  EXPECT_FALSE(program.commands[1].copy()->pageable);
  EXPECT_EQ(program.commands[2].copy()->bytes, 77u);
  EXPECT_EQ(program.commands[3].copy()->bytes, 5'000'000'000u);
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 copies called 'Memcpy PtoP (Device -> Device)' are no copies from, to "
                                    "or within the GPU; they are left out (traceEvents, event ")));
}

TEST_F(Kineto, TheDeviceWithTheMostKernelsIsTaken) {
  const auto t = k.device().thread();
  k.launch(t, {500}, k.stream(7, 0, 1), kernel("a", {1}, {32}), {10'000, 11'000});
  k.launch(t, {3'500}, k.stream(7, 3, 2), kernel("b", {1}, {32}), {20'000, 21'000});
  k.launch(t, {6'500}, k.stream(7, 3, 2), kernel("c", {1}, {32}), {30'000, 31'000});
  const Program program = read(k);
  EXPECT_THAT(labels(program), ElementsAre("b", "c"));
  EXPECT_THAT(calls(program), ElementsAre("b", "c"));
  EXPECT_FALSE(program.gpu.sms.has_value()) << "there is nothing about device 3";
  EXPECT_THAT(program.warnings.at(0), HasSubstr("devices 0, 3; using those of device 3 (--device)"));
  EXPECT_THAT(labels(read(k, 0)), ElementsAre("a"));
  EXPECT_THAT(error_of([&] { read(k, 2); }), HasSubstr("--device: found 2, allowed: 0, 3"));
}

// Events that wait are recorded with enable_cuda_sync_events only.
TEST_F(Kineto, WaitsAreKnownWhereTheProfilerWasAskedForThem) {
  k.with_sync_events();
  const auto t = k.thread();
  const auto s = k.stream(7), other = k.stream(13);
  k.launch(t, {500}, s, kernel("k", {1}, {32}), {5'000, 50'000});
  const auto record = k.record_event(t, {10'000}, s, 5);
  k.wait_event(t, {13'000}, other, record);
  k.launch(t, {16'000}, other, kernel("k", {1}, {32}), {51'000, 52'000});
  k.synchronize_event(t, {19'000, 32'000}, record);
  k.synchronize_stream(t, {55'000}, other);
  k.synchronize_device(t, {58'000});
  const Program program = read(k);
  EXPECT_THAT(calls(program), ElementsAre("k#1", "event 0 in 7", "13 waits for event 0", "k#2", "waits for event 0",
                                          "waits for 13", "waits for the device"));
  EXPECT_EQ(program.events, 1u);
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_F(Kineto, WaitsThatItSaysNothingOfAreToldOf) {
  const auto t = k.thread();
  const auto s = k.stream(7), other = k.stream(13);
  k.launch(t, {500}, s, kernel("k", {1}, {32}), {5'000, 50'000});
  const auto record = k.record_event(t, {10'000}, s, 5);
  k.wait_event(t, {13'000}, other, record);
  k.launch(t, {16'000}, other, kernel("k", {1}, {32}), {51'000, 52'000});
  k.synchronize_event(t, {19'000, 32'000}, record);
  k.synchronize_stream(t, {55'000}, other);
  k.synchronize_device(t, {58'000});
  const Program program = read(k);
  EXPECT_THAT(calls(program), ElementsAre("k#1", "k#2", "waits for the device")) << "there is one device only";
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 streams wait for an event whose recording is not in the capture"),
                          HasSubstr("1 calls wait for an event whose recording is not in the capture"),
                          HasSubstr("1 calls wait for a stream that the capture does not name")));
}

TEST_F(Kineto, ACallThatMetAFullLaunchQueueIsTheOneAroundTheOverhead) {
  const auto t = k.thread(), other = k.thread(123);
  const auto s = k.stream(7);
  k.launch(t, {100, 900}, s, kernel("a", {1}, {32}), {5'000, 50'000});
  k.launch(t, {1'100, 9'000}, s, kernel("b", {1}, {32}), {51'000, 52'000});
  k.call(other, {2'000, 20'000}, "cudaStreamSynchronize");
  k.launch(other, {2'500, 1'000}, s, kernel("brief", {1}, {32}), {52'500, 52'600});
  k.launch(t, {11'100, 900}, s, kernel("c", {1}, {32}), {53'000, 54'000});
  k.overhead({150, 850}, captured::Overhead::kLazyFunctionLoading);
  k.overhead({3'000, 9'900}, captured::Overhead::kCommandBufferFull);
  k.overhead({60'000, 61'000}, captured::Overhead::kCommandBufferFull);
  const Program program = read(k);
  std::map<std::string, Nanoseconds> waited;
  for (const MeasuredThread& thread : program.threads) {
    for (const MeasuredCall& call : thread.calls) {
      const bool launches = call.kind == MeasuredCall::Kind::kCommands;
      waited[launches ? program.commands[call.what].label : "others"] = call.entered - call.start;
    }
  }
  EXPECT_EQ(waited, (std::map<std::string, Nanoseconds>{{"a", 0}, {"b", 8'800}, {"brief", 0}, {"c", 0}, {"others", 0}}))
      << "it is not all in a call that returned before, and a call that waits for the GPU meets no queue";
}

TEST_F(Kineto, AnnotationsAreRanges) {
  const auto t = k.thread();
  k.annotation(t, "ProfilerStep#1", {300, 9'000});
  k.op(t, "aten::mm", {400, 8'000});
  k.gpu_annotation(k.stream(7), "ProfilerStep#1", {10'000, 11'000});
  k.launch(t, {500}, k.stream(7), kernel("k", {1}, {32}), {10'000, 11'000});
  const Program program = read(k);
  ASSERT_EQ(program.ranges.size(), 1u);
  EXPECT_EQ(program.ranges[0].name, "ProfilerStep#1");
  EXPECT_EQ(program.ranges[0].process, 100u);
  EXPECT_EQ(program.ranges[0].thread, 100u);
  EXPECT_EQ(program.ranges[0].start, kZero + 300);
  EXPECT_EQ(program.ranges[0].end, kZero + 9'000);
}

TEST_F(Kineto, NodesOfAGraphAreOfTheCallThatLaunchedIt) {
  k.with_graph_ids();
  const auto t = k.thread();
  k.launch_graph(t, {500},
                 {{kernel("a", {1}, {32}), k.stream(7), {10'000, 11'000}},
                  {kernel("b", {1}, {32}), k.stream(13), {10'500, 11'500}}});
  k.launch(t, {3'500}, k.stream(7), kernel("c", {1}, {32}), {12'000, 13'000});
  const Program program = read(k);
  EXPECT_THAT(calls(program), ElementsAre("a", "c"));
  EXPECT_EQ(program.commands.at(0).next, 1u);
  EXPECT_TRUE(program.commands[1].graph_node);
  EXPECT_FALSE(program.commands[2].graph_node) << "0 is none";
}

TEST_F(Kineto, WhatIsNotSaidIsAssumedAndTold) {
  k.launch(k.thread(), {500}, k.stream(7), kernel("k", {1}, {32}), {10'000, 11'000});
  const std::string bare = R"({"ph": "X", "cat": "kernel", "name": "bare", "ts": 1400000000020, "dur": 1},
                              {"ph": "X", "cat": "kernel", "name": "timeless", "ts": 1400000000030}, )";
  const Program program = read_text(replaced(k.text(), "\"traceEvents\": [", "\"traceEvents\": [" + bare));
  ASSERT_THAT(labels(program), ElementsAre("k", "bare"));
  EXPECT_TRUE(kernel_of(program, "bare").unknown_shape);
  EXPECT_FALSE(kernel_of(program, "k").unknown_shape);
  EXPECT_THAT(program.warnings,
              ElementsAre(HasSubstr("1 kernels and copies have no cuda_runtime event"),
                          HasSubstr("1 kernels have no grid or no block; assumed: a block of 1024 threads on each SM"),
                          HasSubstr("1 kernels have no 'registers per thread'; assumed: 0"),
                          HasSubstr("1 kernels have no 'shared memory'; assumed: 0")));
  EXPECT_THAT(notes(program), ElementsAre("1 events have no ts or no dur; they are left out (traceEvents, event 2)"));
}

TEST_F(Kineto, WithoutCallsTheWarningSaysSo) {
  k.launched_before(k.stream(7), kernel("k", {1}, {32}), {10'000, 11'000});
  EXPECT_THAT(read(k).warnings,
              ElementsAre(HasSubstr("has no cuda_runtime events; the start on the GPU is taken as the time")));
}

TEST_F(Kineto, WhatCannotBeIsLeftOutAndTheRestRuns) {
  for (const auto& [bad, note] : std::vector<std::pair<captured::Kernel, std::string>>{
           {kernel("bad", {0}, {1}), "kernels have an impossible grid"},
           {kernel("bad", {1, 65'536}, {1}), "kernels have an impossible grid"},
           {kernel("bad", {4'000'000'000}, {1}), "kernels have an impossible grid"},
           {kernel("bad", {1}, {1'025}), "kernels have an impossible block"},
           {kernel("bad", {1}, {1'024, 2}), "kernels have an impossible block"},
           {kernel("bad", {1}, {1}).with_registers(300), "kernels have more than 255 registers per thread"}}) {
    KinetoTrace trace;
    const auto t = trace.thread();
    trace.launch(t, {500}, trace.stream(7), kernel("good", {1}, {32}), {10'000, 11'000});
    trace.launch(t, {3'500}, trace.stream(7), bad, {20'000, 21'000});
    const Program program = read(trace);
    EXPECT_THAT(labels(program), ElementsAre("good")) << note;
    EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 " + note + "; they are left out (traceEvents, event ")));
    EXPECT_THAT(calls(program), ElementsAre("good"));
  }
}

TEST_F(Kineto, ShapesThatAreNoneAreLeftOut) {
  k.launch(k.thread(), {500}, k.stream(7), kernel("good", {1}, {32}), {10'000, 11'000});
  k.launched_before(k.stream(7), kernel("bad", {7, 7, 7}, {32}), {20'000, 21'000});
  for (const char* shape : {"[7, 7]", "[7, \"x\", 7]", "[7, -7, 7]", "[7, 7.5, 7]", "7", "[]", "[7, 7, 1e300]", "{}"}) {
    const Program program = read_text(replaced(k.text(), "[7, 7, 7]", shape));
    EXPECT_THAT(labels(program), ElementsAre("good")) << shape;
    EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 kernels have an impossible grid; they are left out")))
        << shape;
  }
}

TEST_F(Kineto, TimesThatCannotBeAreLeftOut) {
  k.launch(k.thread(), {500}, k.stream(7), kernel("good", {1}, {32}), {10'000, 11'000});
  k.launched_before(k.stream(7), kernel("bad", {1}, {32}), {20'000, 21'777});
  for (const auto& [from, to, note] : std::vector<std::array<std::string, 3>>{
           {"\"dur\": 1.777", "\"dur\": -1.777", "commands end before they start"},
           {"\"ts\": 1400000000020.000, \"dur\": 1.777", "\"ts\": 0, \"dur\": 0", "commands have no start or no end"},
           {"\"dur\": 1.777", "\"dur\": \"long\"", "events have no ts or no dur"},
           {"\"dur\": 1.777", "\"dur\": 1e30", "events have no ts or no dur"},
           {"\"dur\": 1.777", "\"dur\": null", "events have no ts or no dur"}}) {
    const Program program = read_text(replaced(k.text(), from, to));
    EXPECT_THAT(labels(program), ElementsAre("good")) << to;
    EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 " + note + "; they are left out (traceEvents, event "))) << to;
  }
  EXPECT_THAT(error(replaced(k.text(), "\"dur\": 1.777", "\"dur\": 1e12")),
              HasSubstr("'bad' ends more than an hour after the first command starts"));
}

TEST_F(Kineto, FilesThatAreNoneAreRefused) {
  EXPECT_THAT(error("{\"traceEvents\": [}"), AllOf(HasSubstr("t.json: is no JSON"), HasSubstr("line 1, column 18")));
  EXPECT_THAT(error(k.text()), HasSubstr("has no kernels; required:"));
  EXPECT_THAT(error("{\"deviceProperties\": []}"), HasSubstr("has no traceEvents"));
  EXPECT_THAT(error_of([&] { capture_formats().at("PyTorch's profiler").read(folder.path("none.json"), {}); }),
              HasSubstr("none.json: cannot be opened"));
  k.launched_before(k.stream(7), kernel("k", {1}, {32}), {10'000, 11'000});
  k.write(folder.path("t.json.gz"));
  folder.write("cut.json", folder.read("t.json.gz").substr(0, 200));
  EXPECT_THAT(error_of([&] { capture_formats().at("PyTorch's profiler").read(folder.path("cut.json"), {}); }),
              HasSubstr("the gzip data is truncated"));
}

}  // namespace
}  // namespace gputlm
