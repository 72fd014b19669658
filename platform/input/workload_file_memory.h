/// Memory in a workload file: managed allocations, an application's allocations (`malloc`, `free`), and the sources and
/// destinations of copies and memsets.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/map_form.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// Supplies addresses where the file gives none: ascending, disjoint, in regions of 4 GiB each.
class FreshAddresses {
 public:
  /// The default start is far from addresses that users write.
  explicit FreshAddresses(Address first = 0x700000000000) : first_(first), next_(first) {}
  /// Throws InputError at `node` if no address is left.
  Address take(const YamlNode& node, Bytes bytes);
  /// The value of the key `address`, or a fresh region.
  Address of(const YamlMap& map, Bytes bytes);
  /// Returns what take() supplied; it is reused only when nothing else is left.
  void give_back(Address address, Bytes bytes);

 private:
  Address first_, next_;
  std::multimap<Bytes, Address> free_;  // free ranges by size, which is a multiple of a region's
};

/// An entry of `managed`.
const MapForm& managed_form();
ManagedAllocation read_managed(const std::string& name, const YamlNode& node, FreshAddresses& fresh);

/// The value of `base`: an address, or the name of managed memory, which must be in `managed`.
schema::Json base_schema();
const ManagedAllocation* named_base(const YamlNode& base, const std::vector<ManagedAllocation>& managed);

/// An entry of `allocations` of an application.
const MapForm& coloured_allocation_form();
/// `offset`: that of the application's addresses.
ColouredAllocation read_coloured_allocation(const YamlNode& node, const std::vector<ManagedAllocation>& managed,
                                            Address offset);

/// The window of a stream or a launch.
const MapForm& access_policy_window_form();
/// The key for the window in streams and launches.
const MapForm& access_policy_window_key();
/// The window of the mapping, if any; `offset`: that of its application's addresses.
std::optional<AccessPolicyWindow> read_access_policy_window(const YamlMap& map,
                                                            const std::vector<ManagedAllocation>& managed,
                                                            Address offset = 0);

/// An application's allocations of device memory, by name, at the current point of the file.
class Allocations {
 public:
  /// Reads a call `malloc` and returns its size.
  Bytes allocate(const YamlMap& call, FreshAddresses& fresh);
  Bytes free(const YamlNode& name, FreshAddresses& fresh);  ///< reads a call `free` and returns its size
  /// An address, or the name of an allocation of at least `bytes`.
  Address address(const YamlNode& node, Bytes bytes) const;

 private:
  struct Allocation {
    Address address;
    Bytes bytes;
  };
  const Allocation& at(const YamlNode& name) const;

  std::map<std::string, Allocation> all_;
};

/// Reads a call `copy` or `memset`, except its label, which must be unique, and its stream.
CopyCommand read_copy(const YamlMap& call, bool memset, const Allocations& allocations);

}  // namespace gputlm
