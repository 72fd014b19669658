/// Small captures of an A100 that are easily misread: everything in each of them depends on one detail. They have the forms of
/// the tools.
#pragma once

#include "tests/support/kineto_trace.h"
#include "tests/support/nsight_export.h"

namespace gputlm::captured {

constexpr std::int64_t kUs = 1'000, kMs = 1'000'000;

inline NsightExport export_of_an_a100(NsightVersion version) {
  NsightExport::Gpu gpu;
  gpu.name = "NVIDIA A100-SXM4-40GB";
  gpu.chip = "GA100";
  gpu.sms = 108;
  gpu.warps_per_sm = 64;
  gpu.blocks_per_sm = 32;
  gpu.copy_engines = 5;
  gpu.shared_per_sm = 167'936;
  gpu.clock_hz = 1'410'000'000;
  gpu.memory_bytes_per_s = 1'555'200'000'000;
  gpu.memory = 42'505'273'344;
  gpu.l2 = 41'943'040;
  gpu.compute_major = 8;
  gpu.compute_minor = 0;
  return std::move(NsightExport(version).gpu(gpu));
}

/// 64 MiB to the GPU, at 1 ms, and a kernel long behind it.
inline NsightExport copy_from(Memory memory, NsightVersion version = NsightVersion::k2025_5) {
  NsightExport e = export_of_an_a100(version);
  const auto t = e.thread(100);
  e.copy(t, {990 * kUs}, e.stream(13), host_to_device(64 << 20, memory),
         {1 * kMs, memory == Memory::kPageable ? 6 * kMs : 4 * kMs});
  e.launch(t, {30 * kMs - 10 * kUs}, e.stream(14), kernel("after", {1}, {256}), {30 * kMs, 30 * kMs + 100 * kUs});
  return e;
}

/// `background` takes the GPU from 1 ms on, eight waves in 8 ms; `urgent`, of a stream of priority -5, is called for at
/// 2 ms.
inline NsightExport urgent_beside_background(NsightVersion version = NsightVersion::k2025_5) {
  NsightExport e = export_of_an_a100(version);
  const auto t = e.thread(100);
  e.launch(t, {990 * kUs}, e.stream(14), kernel("background", {108 * 8 * 8}, {256}), {1 * kMs, 9 * kMs});
  e.launch(t, {2 * kMs}, e.stream(13, -5), kernel("urgent", {108}, {256}), {2 * kMs + 100 * kUs, 2 * kMs + 300 * kUs});
  return e;
}

/// Twenty kernels of a stream, each of 100 us, which overlap by half (programmatic dependent launch).
inline NsightExport overlapping_layers(NsightVersion version = NsightVersion::k2025_5) {
  NsightExport e = export_of_an_a100(version);
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  for (std::int64_t i = 0; i < 20; ++i)
    e.launch(t, {(900 + 4 * i) * kUs}, s, kernel("layer", {108}, {256}),
             {1 * kMs + 50 * i * kUs, 1 * kMs + (50 * i + 100) * kUs});
  return e;
}

/// The stream of `consumer` waits for an event behind `producer`, which lasts from 1 ms to 3 ms.
template <class Capture>
void add_producer_and_consumer(Capture& capture, Thread t, const Stream& s, const Stream& other) {
  capture.launch(t, {990 * kUs}, s, kernel("producer", {54}, {256}), {1 * kMs, 3 * kMs});
  const Record record = capture.record_event(t, {993 * kUs, 1 * kUs}, s, 1);
  capture.wait_event(t, {995 * kUs, 1 * kUs}, other, record);
  capture.launch(t, {997 * kUs}, other, kernel("consumer", {54}, {256}), {3 * kMs + 5 * kUs, 3 * kMs + 505 * kUs});
}
inline NsightExport producer_and_consumer(NsightVersion version) {
  NsightExport e = export_of_an_a100(version);
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  add_producer_and_consumer(e, t, s, other);
  return e;
}
inline KinetoTrace producer_and_consumer_of_pytorch() {
  KinetoTrace k;
  KinetoTrace::Device gpu;
  gpu.name = "NVIDIA A100-SXM4-40GB";
  gpu.sms = 108;
  gpu.threads_per_sm = 2'048;
  gpu.shared_per_sm = 167'936;
  gpu.compute_major = 8;
  gpu.compute_minor = 0;
  const auto t = k.device(gpu).with_sync_events().thread();
  add_producer_and_consumer(k, t, k.stream(13), k.stream(14));
  return k;
}

/// 108 blocks, of which two fit on an SM, take 700 us on a green context, of whose size the export has nothing.
inline NsightExport part_of_the_gpu(NsightVersion version = NsightVersion::k2025_5) {
  NsightExport e = export_of_an_a100(version);
  const auto t = e.thread(100);
  const auto green = e.green_context(e.context(100, 1), 2);
  e.launch(t, {990 * kUs}, e.stream(green, 13), kernel("small_share", {108}, {1024}), {1 * kMs, 1 * kMs + 700 * kUs});
  return e;
}

}  // namespace gputlm::captured
