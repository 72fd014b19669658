#include "platform/input/workload_file_memory.h"

#include <vector>

#include "platform/input/nearest.h"
#include "platform/input/workload_limits.h"

namespace gputlm {
namespace {

constexpr Bytes kRegion = Bytes{1} << 32;      // addresses are given out in steps of it
constexpr Address kHostBase = 0x600000000000;  // of host memory whose address is not given

Bytes regions(Bytes bytes) { return (bytes + kRegion - 1) / kRegion * kRegion; }

void check_end(const YamlNode& node, Address address, Bytes bytes) {
  if (bytes > kMaxAddress + 1 - address)
    node.fail("found " + std::to_string(bytes) + " bytes from " + std::to_string(address) +
              " on, but addresses have 47 bits");
}

}  // namespace

Address FreshAddresses::take(const YamlNode& node, Bytes bytes) {
  const Bytes size = regions(bytes);
  if (size <= kMaxAddress + 1 - next_) {
    next_ += size;
    return next_ - size;
  }
  const auto again = free_.find(size);
  if (again == free_.end()) node.fail("no addresses are left: what is given none takes 4 GiB of the 47 bits of a GPU");
  const Address first = again->second;
  free_.erase(again);
  return first;
}

Address FreshAddresses::of(const YamlMap& map, Bytes bytes) {
  const auto given = map.find("address");
  if (!given) return take(map.node(), bytes);
  const Address address = given->unsigned_number(0, kMaxAddress);
  check_end(*given, address, bytes);
  return address;
}

void FreshAddresses::give_back(Address address, Bytes bytes) {
  if (address >= first_ && address + regions(bytes) <= next_) free_.emplace(regions(bytes), address);
}

ManagedAllocation read_managed(const std::string& name, const YamlNode& node, FreshAddresses& fresh) {
  const YamlMap map(node, {"bytes", "address"});
  const Bytes bytes = map.at("bytes").bytes(1, kMaxAllocated);
  return {name, fresh.of(map, bytes), bytes};
}

void Allocations::allocate(const YamlNode& call, FreshAddresses& fresh) {
  const YamlMap map(call, {"malloc", "bytes", "address"});
  const YamlNode name = map.at("malloc");
  const Bytes bytes = map.at("bytes").bytes(1, kMaxAllocated);
  if (!all_.emplace(name.text(), Allocation{fresh.of(map, bytes), bytes}).second)
    name.fail("'" + name.text() + "' is allocated already");
}

void Allocations::free(const YamlNode& name, FreshAddresses& fresh) {
  const Allocation& allocation = at(name);
  fresh.give_back(allocation.address, allocation.bytes);
  all_.erase(name.text());
}

const Allocations::Allocation& Allocations::at(const YamlNode& name) const {
  const auto found = all_.find(name.text());
  if (found != all_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, of] : all_) names.push_back(known);
  name.fail("'" + name.text() + "' is not allocated" + (names.empty() ? "" : suggestion(name.text(), names)));
}

Address Allocations::address(const YamlNode& node, Bytes bytes) const {
  if (node.text()[0] >= '0' && node.text()[0] <= '9') {
    const Address address = node.unsigned_number(0, kMaxAddress);
    check_end(node, address, bytes);
    return address;
  }
  const Allocation& where = at(node);
  if (bytes > where.bytes)
    node.fail("found " + std::to_string(bytes) + " bytes, but '" + node.text() + "' has " +
              std::to_string(where.bytes));
  return where.address;
}

CopyCommand read_copy(const YamlNode& call, bool memset, bool names_stream, const Allocations& allocations) {
  std::vector<std::string> keys{"label", "to", "blocking"};
  for (const char* key : {"copy", "bytes", "from", "pageable"}) {
    if (!memset) keys.emplace_back(key);
  }
  if (memset) keys.emplace_back("memset");
  if (names_stream) keys.emplace_back("stream");
  const YamlMap map(call, keys);
  CopyCommand command;
  command.file = call.file();
  command.line = call.line();
  command.kind = CopyKind::kMemset;
  if (!memset) {
    command.kind =
        static_cast<CopyKind>(map.at("copy").one_of({"host_to_device", "device_to_host", "device_to_device"}));
  }
  command.bytes = map.at(memset ? "memset" : "bytes").bytes(1, kMaxAllocated);
  const auto place = [&](const char* key, bool host) {
    const auto given = map.find(key);
    if (given) return allocations.address(*given, command.bytes);
    if (!host) map.at(key);
    return kHostBase;
  };
  if (!memset) command.from = place("from", command.kind == CopyKind::kHostToDevice);
  command.to = place("to", command.kind == CopyKind::kDeviceToHost);
  if (const auto pageable = map.find("pageable")) {
    command.pageable = pageable->boolean();
    if (command.pageable && command.kind == CopyKind::kDeviceToDevice)
      pageable->fail("a copy within the device has no host memory that could be pageable");
  }
  if (const auto blocking = map.find("blocking")) command.blocking = blocking->boolean();
  return command;
}

}  // namespace gputlm
