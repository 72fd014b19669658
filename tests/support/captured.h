/// Activities of a process on a GPU for a test. NsightExport and KinetoTrace write them in the forms of their tools; only a
/// writer knows the number that its tool gives to a kind.
#pragma once

#include <cstdint>
#include <string>

namespace gputlm::captured {

/// A call on the host [ns since the recording began].
struct Call {
  std::int64_t at;
  std::int64_t lasts = 2'000;
  std::int64_t returns() const { return at + lasts; }
};

/// Work on the GPU [ns since the recording began]. 0 and 0: CUPTI could not collect the times.
struct Span {
  std::int64_t start, end;
  std::int64_t length() const { return end - start; }
};

/// Blocks of a grid, threads of a block, blocks of a cluster.
struct Shape {
  unsigned x = 1, y = 1, z = 1;
  std::uint64_t product() const { return std::uint64_t{x} * y * z; }
};

struct Thread {
  std::uint32_t process, thread;
};

/// A context, or a green one, which is cut from a parent.
struct Context {
  std::uint32_t process, device, id;
  std::uint32_t green = 0;  ///< the green context's id; `id` is then the parent's
};

/// A stream; ids are unique in a process, over its contexts.
struct Stream {
  Context context;
  std::uint32_t id;
};

enum class StreamKind { kDefault, kNonBlocking, kNull };

struct Kernel {
  std::string name;  ///< demangled, with template arguments and parameters
  Shape grid, block;
  unsigned registers = 32;                              ///< registers per thread
  std::uint32_t static_shared = 0, dynamic_shared = 0;  ///< shared memory per block, bytes
  Shape cluster{0, 0, 0};                               ///< 0, 0, 0: no cluster
  bool cooperative = false;

  Kernel with_registers(unsigned count) const {
    Kernel copy = *this;
    copy.registers = count;
    return copy;
  }
  Kernel with_shared_memory(std::uint32_t of_its_own, std::uint32_t of_the_launch) const {
    Kernel copy = *this;
    copy.static_shared = of_its_own;
    copy.dynamic_shared = of_the_launch;
    return copy;
  }
  Kernel in_clusters(Shape blocks) const {
    Kernel copy = *this;
    copy.cluster = blocks;
    return copy;
  }
  Kernel launched_cooperatively() const {
    Kernel copy = *this;
    copy.cooperative = true;
    return copy;
  }
};
inline Kernel kernel(const std::string& name, Shape grid, Shape block) { return {name, grid, block}; }

enum class Memory { kPageable, kPinned, kDevice, kArray, kManaged };
enum class Direction { kHostToDevice, kDeviceToHost, kDeviceToDevice, kHostToHost, kPeerToPeer };

struct Copy {
  Direction direction;
  std::uint64_t bytes;
  Memory from, to;
  std::uint32_t peer = 0;  ///< the device that a copy between GPUs goes to
};
inline Copy host_to_device(std::uint64_t bytes, Memory from = Memory::kPinned) {
  return {Direction::kHostToDevice, bytes, from, Memory::kDevice};
}
inline Copy device_to_host(std::uint64_t bytes, Memory to = Memory::kPinned) {
  return {Direction::kDeviceToHost, bytes, Memory::kDevice, to};
}
inline Copy device_to_device(std::uint64_t bytes) {
  return {Direction::kDeviceToDevice, bytes, Memory::kDevice, Memory::kDevice};
}
inline Copy to_peer(std::uint64_t bytes, std::uint32_t device) {
  return {Direction::kPeerToPeer, bytes, Memory::kDevice, Memory::kDevice, device};
}

/// A recorded event: the event, this record of it, the stream it was recorded on and its call.
struct Record {
  std::uint32_t event;
  std::uint64_t record;
  Stream stream;
  std::uint32_t call;  ///< correlation id of the call
};

/// What a wait waits for.
enum class Wait { kEvent, kStreamForEvent, kStream, kContext };

/// Reasons why a call takes longer than it could.
enum class Overhead { kLazyFunctionLoading, kCommandBufferFull };

}  // namespace gputlm::captured
