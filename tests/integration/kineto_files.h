/// Traces as PyTorch's profiler writes them, event by event.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

class KinetoText {
 public:
  /// A GPU with the SMs of `rtx2060`, and the program's name.
  KinetoText() {
    event(R"("name": "process_name", "ph": "M", "ts": 0.000, "pid": 100, "tid": 0, "args": {"name": "python"})");
    event(R"("ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 100, "tid": 100, "ts": 1.000, "dur": 3.000,
             "args": {"External id": 1, "Input Dims": [[8, 8], []]})");
  }

  KinetoText& event(const std::string& members) {
    events_ += (events_.empty() ? "{" : ",\n{") + members + "}";
    return *this;
  }
  /// `ts`, `dur`: as they are to stand there. `args`: further ones, beginning with a comma.
  KinetoText& kernel(const std::string& name, const std::string& ts, const std::string& dur,
                     const std::string& shape = R"("grid": [60, 1, 1], "block": [128, 1, 1])", unsigned correlation = 0,
                     unsigned stream = 7, unsigned device = 0, const std::string& args = "") {
    return event(R"("ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": )" + std::to_string(device) +
                 R"(, "tid": )" + std::to_string(stream) + R"(, "ts": )" + ts + R"(, "dur": )" + dur +
                 R"(, "args": {"queued": 0, "device": )" + std::to_string(device) + R"(, "context": 1, "stream": )" +
                 std::to_string(stream) + R"(, "correlation": )" + std::to_string(correlation) +
                 R"(, "registers per thread": 40, "shared memory": 2048, "blocks per SM": 2.0, )" + shape + args + "}");
  }
  KinetoText& call(const std::string& ts, unsigned correlation) {
    return event(R"("ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 100, "ts": )" +
                 ts + R"(, "dur": 2.000, "args": {"cbid": 211, "correlation": )" + std::to_string(correlation) + "}");
  }
  KinetoText& copy(const std::string& name, const std::string& ts, const std::string& args) {
    return event(R"("ph": "X", "cat": ")" + std::string(name.rfind("Memset", 0) == 0 ? "gpu_memset" : "gpu_memcpy") +
                 R"(", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" + ts +
                 R"(, "dur": 1.000, "args": {"device": 0, "context": 1, "stream": 7, )" + args + "}");
  }

  std::string text() const {
    return R"({"schemaVersion": 1, "deviceProperties": [
{"id": 0, "name": "RTX 2060", "totalGlobalMem": 6225002496, "maxThreadsPerMultiprocessor": 1024, "warpSize": 32,
 "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 65536, "numSms": 30}],
"distributedInfo": {"rank": 0, "pg_config": [{"pg_name": "0"}]}, "displayTimeUnit": "ms",
"traceEvents": [
)" + events_ +
           "],\n\"traceName\": \"trace.json\"}\n";
  }

 private:
  std::string events_;
};

}  // namespace gputlm
