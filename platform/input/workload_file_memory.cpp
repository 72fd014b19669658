#include "platform/input/workload_file_memory.h"

#include <vector>

#include "models/kernel/address_pattern.h"
#include "platform/input/call_forms.h"
#include "platform/input/nearest.h"

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

const MapForm& managed_form() {
  static const MapForm form =
      MapForm("managed").fields<ManagedAllocation>().key("address", address_alone(), "Default one of its own");
  return form;
}

ManagedAllocation read_managed(const std::string& name, const YamlNode& node, FreshAddresses& fresh) {
  const YamlMap map = managed_form().read(node);
  ManagedAllocation managed;
  read_fields(map, managed);
  managed.name = name;
  managed.address = fresh.of(map, managed.bytes);
  return managed;
}

Bytes Allocations::allocate(const YamlMap& call, FreshAddresses& fresh) {
  const YamlNode name = call.at("malloc");
  const Bytes bytes = call.at("bytes").bytes(1, kMaxAllocated);
  if (!all_.emplace(name.text(), Allocation{fresh.of(call, bytes), bytes}).second)
    name.fail("'" + name.text() + "' is allocated already");
  return bytes;
}

Bytes Allocations::free(const YamlNode& name, FreshAddresses& fresh) {
  const auto [address, bytes] = at(name);
  fresh.give_back(address, bytes);
  all_.erase(name.text());
  return bytes;
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

CopyCommand read_copy(const YamlMap& call, bool memset, const Allocations& allocations) {
  CopyCommand command;
  command.file = call.node().file();
  command.line = call.node().line();
  read_fields(call, command);
  command.kind =
      memset ? CopyKind::kMemset
             : static_cast<CopyKind>(call.at("copy").one_of({"host_to_device", "device_to_host", "device_to_device"}));
  command.bytes = call.at(memset ? "memset" : "bytes").bytes(1, kMaxAllocated);
  const auto place = [&](const char* key) {
    const auto given = call.find(key);
    return given ? allocations.address(*given, command.bytes) : kHostBase;
  };
  if (!memset) command.from = place("from");
  command.to = place("to");
  return command;
}

}  // namespace gputlm
