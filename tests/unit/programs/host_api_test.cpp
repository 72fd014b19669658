// Effects of calls of the programming interfaces, by their names in profiles.
#include "platform/programs/host_api.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

TEST(HostApi, NamesHaveVersionsWhichDoNotMatter) {
  // As exports of Nsight Systems have them: of the runtime with the version that brought the function, of the driver
  // with that of its binary interface, and with `_ptsz` or `_ptds` where a program has default streams of its threads.
  for (const char* name : {"cudaStreamSynchronize", "cudaStreamSynchronize_v3020", "cudaStreamSynchronize_ptsz",
                           "cudaStreamSynchronize_ptsz_v7000", "cuStreamSynchronize", "cuStreamSynchronize_ptsz"})
    EXPECT_EQ(host_api(name), HostApi::kSynchronizeStream) << name;
  for (const char* name : {"cudaMemcpy_v3020", "cudaMemcpy_ptds_v7000", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2_ptds"})
    EXPECT_EQ(host_api(name), HostApi::kBlockingCopy) << name;
}

TEST(HostApi, CudasRuntimeAndDriverAndHipSayTheSameInTheirOwnWords) {
  for (const char* name : {"cudaDeviceSynchronize_v3020", "cuCtxSynchronize", "hipDeviceSynchronize",
                           "hipCtxSynchronize", "cudaThreadSynchronize_v3020"})
    EXPECT_EQ(host_api(name), HostApi::kSynchronizeDevice) << name;
  for (const char* name : {"cudaEventRecord_v3020", "cudaEventRecordWithFlags_v11010", "cuEventRecord_ptsz",
                           "cuEventRecordWithFlags", "hipEventRecord"})
    EXPECT_EQ(host_api(name), HostApi::kRecordEvent) << name;
  for (const char* name : {"cudaStreamWaitEvent_v3020", "cuStreamWaitEvent", "hipStreamWaitEvent"})
    EXPECT_EQ(host_api(name), HostApi::kWaitEvent) << name;
  for (const char* name : {"cudaEventSynchronize_v3020", "cuEventSynchronize", "hipEventSynchronize"})
    EXPECT_EQ(host_api(name), HostApi::kSynchronizeEvent) << name;
  for (const char* name : {"cudaFree_v3020", "cuMemFree_v2", "hipFree", "cudaFreeArray_v3020", "cuArrayDestroy"})
    EXPECT_EQ(host_api(name), HostApi::kFree) << name;
}

TEST(HostApi, QueriesDoNotWait) {
  for (const char* name : {"cudaEventQuery_v3020", "cudaStreamQuery_ptsz_v7000", "cuEventQuery", "hipStreamQuery"})
    EXPECT_EQ(host_api(name), HostApi::kQuery) << name;
}

TEST(HostApi, CopiesThatAreAsynchronousByNameDoNotWait) {
  for (const char* name : {"cudaMemcpyAsync_v3020", "cudaMemcpyAsync_ptsz_v7000", "cudaMemcpy2DAsync_v3020",
                           "cuMemcpyHtoDAsync_v2", "cuMemcpyAsync_ptsz", "hipMemcpyAsync", "cudaMemcpyPeerAsync_v4000"})
    EXPECT_EQ(host_api(name), HostApi::kOther) << name;
  for (const char* name :
       {"cudaMemcpy2D_v3020", "cudaMemcpyToSymbol_v3020", "hipMemcpy", "hipMemcpyWithStream", "cuMemcpyDtoH_v2"})
    EXPECT_EQ(host_api(name), HostApi::kBlockingCopy) << name;
}

TEST(HostApi, AllOthersAreOthers) {
  for (const char* name :
       {"", "_", "v", "_v", "_v1", "cuda", "cu", "hip", "cudaLaunchKernel_v7000", "cuLaunchKernelEx",
        "cudaFreeAsync_v11020", "cudaFreeHost_v3020", "cuMemFreeHost", "StreamSynchronize", "nvtxRangePush",
        "cudaStreamSynchronizeX", "cudaStreamSynchronize_v", "cudaStreamSynchronize_v12x"})
    EXPECT_EQ(host_api(name), HostApi::kOther) << name;
}

}  // namespace
}  // namespace gputlm
