// Traces of PyTorch's profiler that mislead a reader: ROCm's meanings of CUDA's words, forms of older versions, and -1 for
// none.
#include <gmock/gmock.h>

#include "platform/programs/capture.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/test_folder.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using captured::Direction;
using captured::kernel;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class KinetoTraps : public testing::Test {
 protected:
  Program read(const KinetoTrace& trace) { return read_text(trace.text()); }
  Program read_text(const std::string& text) {
    folder.write("t.json", text);
    return capture_formats().at("PyTorch's profiler").read(folder.path("t.json"), {});
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no " + from + " in " + text);
    return text.replace(at, from.size(), to);
  }

  TestFolder folder;
  KinetoTrace k;
};

TEST_F(KinetoTraps, ABareArrayIsAllThatThereIs) {
  k.launch(k.device().thread(), {500}, k.stream(7), kernel("k", {4}, {64}), {10'000, 11'000});
  const Program whole = read(k), array = read_text(k.array_text());
  EXPECT_EQ(labels(array), labels(whole));
  EXPECT_EQ(calls(array), calls(whole));
  EXPECT_EQ(array.commands.at(0).start, whole.commands.at(0).start);
  EXPECT_EQ(whole.gpu.sms, 30u);
  EXPECT_FALSE(array.gpu.sms);
}

TEST_F(KinetoTraps, APackedTraceIsTheSame) {
  k.launch(k.thread(), {500}, k.stream(7), kernel("k", {4}, {64}), {10'000, 11'000});
  k.write(folder.path("t.json.gz"));
  const Program packed = capture_formats().at("PyTorch's profiler").read(folder.path("t.json.gz"), {});
  EXPECT_EQ(labels(packed), labels(read(k)));
  EXPECT_EQ(packed.commands.at(0).called, read(k).commands.at(0).called);
}

// Kineto#808: the stream or the record of an event that is waited for may not be known, and is -1 then.
TEST_F(KinetoTraps, MinusOneIsNone) {
  k.with_sync_events();
  const auto t = k.thread();
  const auto s = k.stream(7), other = k.stream(13);
  k.launch(t, {500}, s, kernel("k", {1}, {32}), {5'000, 50'000});
  const auto record = k.record_event(t, {10'000}, s, 5);
  k.wait_event(t, {13'000}, other, record);
  k.launch(t, {16'000}, other, kernel("k", {1}, {32}), {51'000, 52'000});
  ASSERT_THAT(calls(read(k)), ElementsAre("k#1", "event 0 in 7", "13 waits for event 0", "k#2"));
  for (const char* field : {"\"wait_on_stream\": 7", "\"wait_on_cuda_event_record_corr_id\": 2"}) {
    const std::string name(field, std::string(field).rfind(' '));
    const Program program = read_text(replaced(k.text(), field, name + " -1"));
    EXPECT_THAT(calls(program), ElementsAre("k#1", "k#2")) << field;
    EXPECT_THAT(notes(program),
                ElementsAre(HasSubstr("1 streams wait for an event whose recording is not in the capture")));
    EXPECT_EQ(program.streams.size(), 2u) << "no stream was made up for it";
  }
}

TEST_F(KinetoTraps, AWaitForTheDeviceHasNoStream) {
  k.with_sync_events();
  const auto t = k.thread();
  k.launch(t, {500}, k.stream(7), kernel("k", {1}, {32}), {5'000, 50'000});
  k.launch(t, {3'000}, k.stream(13), kernel("k", {1}, {32}), {5'000, 60'000});
  k.synchronize_device(t, {6'000, 57'000});
  EXPECT_THAT(calls(read(k)), ElementsAre("k#1", "k#2", "waits for the device"));
}

TEST_F(KinetoTraps, WaitsForAnotherDeviceAreNoneOfThisOne) {
  k.with_sync_events();
  const auto t = k.thread();
  const auto far = k.stream(7, 1, 2);
  k.launch(t, {500}, k.stream(7, 0, 1), kernel("a", {1}, {32}), {5'000, 50'000});
  k.launch(t, {3'000}, k.stream(7, 0, 1), kernel("b", {1}, {32}), {50'000, 60'000});
  k.launch(t, {6'000}, far, kernel("c", {1}, {32}), {50'000, 60'000});
  k.synchronize_device(t, {9'000, 52'000}, 1, 2);
  k.synchronize_stream(t, {62'000}, far);
  const Program program = read(k);
  EXPECT_THAT(calls(program), ElementsAre("a", "b"));
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_F(KinetoTraps, AnEventOfAnotherDeviceIsToldOf) {
  k.with_sync_events();
  const auto t = k.thread();
  const auto near = k.stream(7, 0, 1), far = k.stream(20, 1, 2);
  k.launch(t, {500}, far, kernel("far", {1}, {32}), {5'000, 50'000});
  k.wait_event(t, {9'000}, near, k.record_event(t, {6'000}, far, 5));
  k.launch(t, {12'000}, near, kernel("a", {1}, {32}), {51'000, 52'000});
  k.launch(t, {15'000}, near, kernel("b", {1}, {32}), {53'000, 54'000});
  const Program program = read(k);
  EXPECT_THAT(calls(program), ElementsAre("a", "b"));
  EXPECT_EQ(program.streams.size(), 1u);
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 streams wait for an event whose recording is not in the capture")));
}

// Before PyTorch 2.4 times were microseconds since 1970: 19 digits to the nanosecond, more than a double holds. Some
// tools that pass traces on write them as texts.
TEST_F(KinetoTraps, TimesSince1970AreExactToTheNanosecond) {
  const Program program = read_text(R"json({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 100,
     "ts": 1716223345123450.001, "dur": 2, "args": {"correlation": 1}},
    {"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1716223345123456.789, "dur": 0.001,
     "args": {"device": 0, "context": 1, "stream": 7, "correlation": 1, "grid": [1, 1, 1], "block": [32, 1, 1]}},
    {"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": "1716223345123457.123", "dur": "2",
     "args": {"device": 0, "context": 1, "stream": 7, "grid": [1, 1, 1], "block": [32, 1, 1]}}]})json");
  EXPECT_EQ(program.commands.at(0).start, 1'716'223'345'123'456'789);
  EXPECT_EQ(program.commands[0].duration(), 1);
  EXPECT_EQ(program.commands[0].called, 1'716'223'345'123'450'001);
  EXPECT_EQ(program.commands.at(1).start, 1'716'223'345'123'457'123) << "as a text";
  EXPECT_EQ(program.commands[1].end, 1'716'223'345'123'459'123);
}

// As versions of 2020 and 2021 spelled it (output_json.cpp then).
TEST_F(KinetoTraps, EarlierSpellingsAreRead) {
  const Program program = read_text(R"json({"schemaVersion": 1, "computeProperties": [{"id": 0, "name": "V100",
    "maxThreadsPerMultiProcessor": 2048, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 98304,
    "multiProcessorCount": 80}], "traceEvents": [
    {"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 24572, "tid": "24572", "ts": 1000, "dur": 21,
     "args": {"correlation": 334}},
    {"ph": "X", "cat": "Kernel", "name": "_Z4fillPi", "pid": 0, "tid": "stream 7", "ts": 1100, "dur": 5,
     "args": {"queued": 0, "device": 0, "context": 1, "correlation": 334, "registers per thread": 16,
              "shared memory": 0, "grid": [10, 1, 1], "block": [256, 1, 1]}},
    {"ph": "X", "cat": "Memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": "stream 7", "ts": 1150,
     "dur": 5, "args": {"device": 0, "context": 1, "correlation": 335, "bytes": 64}},
    {"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0, "tid": "stream 7", "ts": 1200, "dur": 5,
     "args": {"correlation": 334, "context": 1, "bytes": 64}}]
})json");
  EXPECT_EQ(program.gpu.sms, 80u);
  EXPECT_EQ(program.gpu.warps, 64u);
  EXPECT_THAT(labels(program), ElementsAre("fill", "host_to_device#1", "memset#2"));
  EXPECT_EQ(program.commands[0].called, 1'000'000);
  EXPECT_TRUE(program.commands[1].copy()->pageable);
  ASSERT_EQ(program.streams.size(), 1u);
  EXPECT_EQ(program.streams[0].id, 7u);
  EXPECT_THAT(program.process_names, ElementsAre("process 24572"));
}

class KinetoTrapsOfRocm : public KinetoTraps {
 protected:
  KinetoTrapsOfRocm() { r.device(); }
  KinetoTrace r{KinetoTrace::Vendor::kRocm};
};

TEST_F(KinetoTrapsOfRocm, AGridOfTheExtendedLaunchIsInWorkItems) {
  const auto t = r.thread();
  r.launch(t, {500}, r.stream(0), kernel("extended", {786, 2, 3}, {256, 2, 1}), {10'000, 20'000},
           "hipExtModuleLaunchKernel");
  r.launch(t, {3'500}, r.stream(0), kernel("plain", {786, 2, 3}, {256, 2, 1}), {20'000, 30'000},
           "hipModuleLaunchKernel");
  r.launch(t, {6'500}, r.stream(0), kernel("short", {786, 2, 3}, {256, 2, 1}), {30'000, 40'000});
  const Program program = read(r);
  for (const char* name : {"extended", "plain", "short"}) {
    EXPECT_EQ(text_of(kernel_of(program, name).grid), "786 x 2 x 3") << name;
    EXPECT_EQ(text_of(kernel_of(program, name).block), "256 x 2 x 1") << name;
  }
}

TEST_F(KinetoTrapsOfRocm, SharedMemoryIsThatOfTheCall) {
  const auto t = r.thread();
  r.launch(t, {500}, r.stream(0), kernel("k", {8}, {256}).with_shared_memory(1024, 4096), {10'000, 20'000});
  const Program program = read(r);
  EXPECT_EQ(kernel_of(program, "k").shared_memory, 4096u) << "that of its own is nowhere";
  EXPECT_THAT(program.warnings, Each(Not(HasSubstr("'shared memory'"))));
}

TEST_F(KinetoTrapsOfRocm, KernelsOfAGraphHaveNoShape) {
  const auto t = r.thread();
  r.launch_graph(t, {500},
                 {{kernel("a", {8}, {64}), r.stream(0), {10'000, 20'000}},
                  {kernel("b", {8}, {64}), r.stream(0), {20'000, 30'000}}});
  const Program program = read(r);
  EXPECT_TRUE(kernel_of(program, "a").unknown_shape);
  EXPECT_TRUE(kernel_of(program, "b").unknown_shape);
  EXPECT_THAT(calls(program), ElementsAre("a"));
  EXPECT_EQ(program.commands.at(0).next, 1u);
  EXPECT_THAT(program.warnings,
              testing::Contains(HasSubstr("2 kernels have no grid or no block; assumed: a block of 1024")));
}

// Five of six copies called DtoD were asked for from host to device: a kernel read the host's memory for them.
TEST_F(KinetoTrapsOfRocm, ACopysDirectionIsThatOfItsCallAndNotOfItsPacket) {
  const auto t = r.thread();
  const auto s = r.stream(0);
  r.launch(t, {500}, s, kernel("k", {8}, {256}), {10'000, 20'000});
  r.copy(t, {3'500}, s, captured::host_to_device(13'248), {21'000, 22'000}, Direction::kDeviceToDevice);
  r.copy(t, {6'500}, s, captured::device_to_host(64), {23'000, 24'000}, Direction::kDeviceToDevice);
  r.copy(t, {9'500}, s, captured::device_to_device(64), {25'000, 26'000});
  const Program program = read(r);
  EXPECT_THAT(labels(program), ElementsAre("k", "host_to_device#1", "device_to_host#2", "device_to_device#3"));
  EXPECT_EQ(program.commands[1].copy()->bytes, 13'248u);
  EXPECT_THAT(notes(program), IsEmpty());
}

// hipMemcpyDefault: by the addresses, which leaves what the packet did.
TEST_F(KinetoTrapsOfRocm, ADefaultDirectionIsThatOfThePacket) {
  const auto t = r.thread();
  r.launch(t, {500}, r.stream(0), kernel("k", {8}, {256}), {10'000, 20'000});
  r.copy(t, {3'500}, r.stream(0), captured::host_to_device(13'248), {21'000, 22'000});
  EXPECT_THAT(labels(read_text(replaced(r.text(), "\"kind\": \"1\"", "\"kind\": \"4\""))),
              ElementsAre("k", "host_to_device#1"));
}

// RoctracerActivity_inl.h, getMemcpyKindString: a packet that is of no known kind. Its first version (0184822f) wrote
// the kind as a number, and addresses.
TEST_F(KinetoTrapsOfRocm, ACopyOfAnUnknownPacketIsWhatItsCallSays) {
  const auto t = r.thread();
  r.launch(t, {500}, r.stream(0), kernel("k", {8}, {256}), {10'000, 20'000});
  r.copy(t, {3'500}, r.stream(0), captured::host_to_device(13'248), {21'000, 22'000});
  for (const char* name : {"Memcpy <unknown> (? -> ?)", "Memcpy 1 (0x7f0000000000 -> 0x7f1000000000)"}) {
    const Program program = read_text(replaced(r.text(), "Memcpy HtoD (Host -> Device)", name));
    EXPECT_THAT(labels(program), ElementsAre("k", "host_to_device#1")) << name;
    EXPECT_THAT(notes(program), IsEmpty());
  }
}

TEST_F(KinetoTrapsOfRocm, AMemsetDoesNotSayHowMuch) {
  const auto t = r.thread();
  r.launch(t, {500}, r.stream(0), kernel("k", {8}, {256}), {10'000, 20'000});
  r.memset(t, {3'500}, r.stream(0), 4096, {21'000, 22'000});
  EXPECT_THAT(notes(read(r)),
              ElementsAre(HasSubstr("1 copies do not say how many bytes they have; they are left out")));
}

TEST_F(KinetoTrapsOfRocm, AWavefrontTakesThePlaceOfTwoWarps) {
  KinetoTrace::Device device;
  device.name = "";
  device.sms = 304;
  device.threads_per_sm = 2048;
  KinetoTrace trace(KinetoTrace::Vendor::kRocm);
  trace.launch(trace.device(device).thread(), {500}, trace.stream(0), kernel("k", {8}, {256}), {10'000, 20'000});
  const Program program = read(trace);
  EXPECT_EQ(program.gpu.name, "") << "an MI300X has no name in traces";
  EXPECT_EQ(program.gpu.sms, 304u);
  EXPECT_EQ(program.gpu.warps, 64u);
  EXPECT_EQ(program.gpu.shared_memory, 65'536u);
  EXPECT_FALSE(program.gpu.registers);
}

// hipEventRecord is not recorded, and hipStreamWaitEvent has only its name.
TEST_F(KinetoTrapsOfRocm, WaitsForEventsAreToldOf) {
  const auto t = r.thread();
  const auto s = r.stream(0);
  r.launch(t, {500}, s, kernel("k", {8}, {256}), {10'000, 20'000});
  r.wait_event(t, {3'500}, s, r.record_event(t, {3'000}, s, 5));
  r.synchronize_stream(t, {21'000}, s);
  const Program program = read(r);
  EXPECT_THAT(calls(program), ElementsAre("k", "waits for 0")) << "there is one queue only";
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 streams wait for an event whose recording is not in the capture")));
}

}  // namespace
}  // namespace gputlm
