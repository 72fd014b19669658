/// What calls of the programming interface do, by their names: CUDA's runtime and driver, and HIP. Profilers write names with
/// versions (`cudaMemcpy_v3020`, `cuMemFree_v2`, `cudaLaunchKernel_ptsz`), which are passed over.
#pragma once

#include <cstdint>
#include <string_view>

namespace gputlm {

enum class HostApi : std::uint8_t {
  kOther,         ///< whether or not commands come of it
  kBlockingCopy,  ///< cudaMemcpy: returns when the copy has ended (CUDA Runtime API, "API synchronization behavior")
  kRecordEvent,   ///< cudaEventRecord
  kWaitEvent,     ///< cudaStreamWaitEvent
  kSynchronizeStream,  ///< cudaStreamSynchronize
  kSynchronizeDevice,  ///< cudaDeviceSynchronize, cuCtxSynchronize
  kSynchronizeEvent,   ///< cudaEventSynchronize
  kQuery,              ///< cudaEventQuery, cudaStreamQuery: asks, and does not wait
  /// cudaFree: waits for what the device still does, though no manual promises it ("implicit synchronization", CUDA
  /// programming guide). It is taken so only where the times of the capture agree.
  kFree,
};

HostApi host_api(std::string_view name);

}  // namespace gputlm
