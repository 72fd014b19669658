/// What API calls do, by name: the runtime and driver API of CUDA, and HIP. Profilers append versions to the names
/// (`cudaMemcpy_v3020`, `cuMemFree_v2`, `cudaLaunchKernel_ptsz`), which are ignored.
#pragma once

#include <cstdint>
#include <string_view>

namespace gputlm {

enum class HostApi : std::uint8_t {
  kOther,         ///< anything else, with or without resulting commands
  kBlockingCopy,  ///< cudaMemcpy: returns when the copy has ended (CUDA Runtime API, "API synchronization behavior")
  kRecordEvent,   ///< cudaEventRecord
  kWaitEvent,     ///< cudaStreamWaitEvent
  kSynchronizeStream,  ///< cudaStreamSynchronize
  kSynchronizeDevice,  ///< cudaDeviceSynchronize, cuCtxSynchronize
  kSynchronizeEvent,   ///< cudaEventSynchronize
  kQuery,              ///< cudaEventQuery, cudaStreamQuery: does not wait
  /// cudaFree: waits for pending work of the device, although no manual guarantees it ("implicit synchronization", CUDA
  /// programming guide). Treated so only if the times of the capture agree.
  kFree,
};

HostApi host_api(std::string_view name);

}  // namespace gputlm
