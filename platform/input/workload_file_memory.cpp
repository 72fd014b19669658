#include "platform/input/workload_file_memory.h"

#include <cctype>
#include <vector>

#include "models/kernel/address_pattern.h"
#include "platform/input/call_forms.h"
#include "platform/input/nearest.h"

namespace gputlm {
namespace {

using schema::Json;

constexpr Bytes kRegion = Bytes{1} << 32;      // granularity of addresses
constexpr Address kHostBase = 0x600000000000;  // base of host memory without a given address

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
  if (again == free_.end())
    node.fail("no addresses are left: everything without an address takes 4 GiB of the 47 bits of a GPU");
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
      MapForm("managed").fields<ManagedAllocation>().key("address", address_alone(), "Address; default: a fresh one");
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

schema::Json base_schema() {
  return schema::any_of(
      {schema::bytes(0, kMaxAddress), schema::matching("^[A-Za-z]"), schema::matching("^0[xX][0-9a-fA-F]+$")});
}

const ManagedAllocation* named_base(const YamlNode& base, const std::vector<ManagedAllocation>& managed) {
  const std::string& name = base.text();
  if (!std::isalpha(static_cast<unsigned char>(name[0]))) return nullptr;
  std::vector<std::string> names;
  for (const ManagedAllocation& allocation : managed) {
    if (allocation.name == name) return &allocation;
    names.push_back(allocation.name);
  }
  base.fail("no managed memory is named '" + name + "'" + suggestion(name, names));
}

namespace {

/// The key `base`, the start of a range of this many bytes.
Address read_base(const YamlMap& map, Bytes bytes, const std::vector<ManagedAllocation>& managed) {
  const YamlNode base = map.at("base");
  const ManagedAllocation* const in = named_base(base, managed);
  if (in && bytes > in->bytes)
    map.at("bytes").fail("found " + std::to_string(bytes) + " bytes, but '" + in->name + "' has " +
                         std::to_string(in->bytes));
  const Address address = in ? in->address : base.bytes(0, kMaxAddress);
  check_end(map.at("bytes"), address, bytes);
  return address;
}

}  // namespace

const MapForm& coloured_allocation_form() {
  static const MapForm form =
      MapForm("allocation")
          .key("base", base_schema(), "First address, or the name of managed memory", kRequired)
          .fields<ColouredAllocation>()
          .at_most_one({"dram_channels", "l2_slices"})
          .rule({[](const YamlMap& map) {
                   if (!map.find("dram_channels") && !map.find("l2_slices"))
                     map.node().fail("the allocation has neither 'dram_channels' nor 'l2_slices', but needs one");
                 },
                 [](Json& schema) {
                   schema["allOf"].push_back(schema::any_key({"dram_channels", "l2_slices"}));
                 }});
  return form;
}

ColouredAllocation read_coloured_allocation(const YamlNode& node, const std::vector<ManagedAllocation>& managed,
                                            Address offset) {
  const YamlMap map = coloured_allocation_form().read(node);
  ColouredAllocation allocation;
  read_fields(map, allocation);
  allocation.base = read_base(map, allocation.bytes, managed) + offset;
  allocation.file = node.file();
  allocation.line = node.line();
  return allocation;
}

const MapForm& access_policy_window_form() {
  static const MapForm form = MapForm("access policy window")
                                  .key("base", base_schema(), "First address, or the name of managed memory", kRequired)
                                  .fields<AccessPolicyWindow>();
  return form;
}

const MapForm& access_policy_window_key() {
  static const MapForm form =
      MapForm("access policy")
          .key("access_policy_window", schema::reference("access policy window"),
               "How lines that its kernels access are kept in the L2; a launch's window overrides its stream's");
  return form;
}

std::optional<AccessPolicyWindow> read_access_policy_window(const YamlMap& map,
                                                            const std::vector<ManagedAllocation>& managed,
                                                            Address offset) {
  const auto node = map.find("access_policy_window");
  if (!node) return std::nullopt;
  const YamlMap given = access_policy_window_form().read(*node);
  AccessPolicyWindow window;
  read_fields(given, window);
  window.base = read_base(given, window.bytes, managed) + offset;
  return window;
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
