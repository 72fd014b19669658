/// Memory of a workload file: managed allocations, those of an application (`malloc`, `free`), and what copies and memsets
/// move from where to where.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/map_form.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// Addresses for what is given none: in order, and nothing else's, in regions of 4 GiB each.
class FreshAddresses {
 public:
  /// By default away from what users write.
  explicit FreshAddresses(Address first = 0x700000000000) : first_(first), next_(first) {}
  /// Throws InputError for `node` if none are left.
  Address take(const YamlNode& node, Bytes bytes);
  /// The key `address`, or a place of its own.
  Address of(const YamlMap& map, Bytes bytes);
  /// What take() has given may be given again, once nothing else is left.
  void give_back(Address address, Bytes bytes);

 private:
  Address first_, next_;
  std::multimap<Bytes, Address> free_;  // by size, a multiple of a region
};

/// An entry of `managed`.
const MapForm& managed_form();
ManagedAllocation read_managed(const std::string& name, const YamlNode& node, FreshAddresses& fresh);

/// What stands for `base`: an address, or the name of managed memory, which is in `managed` then.
schema::Json base_schema();
const ManagedAllocation* named_base(const YamlNode& base, const std::vector<ManagedAllocation>& managed);

/// An entry of `allocations` of an application.
const MapForm& coloured_allocation_form();
/// `offset`: of the application's addresses.
ColouredAllocation read_coloured_allocation(const YamlNode& node, const std::vector<ManagedAllocation>& managed,
                                            Address offset);

/// Of a stream or a launch.
const MapForm& access_policy_window_form();
/// The key that streams and launches have for it.
const MapForm& access_policy_window_key();
/// The window that the mapping has, if any; `offset`: of its application's addresses.
std::optional<AccessPolicyWindow> read_access_policy_window(const YamlMap& map,
                                                            const std::vector<ManagedAllocation>& managed,
                                                            Address offset = 0);

/// Device memory that an application has allocated, by name, as far as the file has been read.
class Allocations {
 public:
  /// Reads a call `malloc`; returns how much it is.
  Bytes allocate(const YamlMap& call, FreshAddresses& fresh);
  Bytes free(const YamlNode& name, FreshAddresses& fresh);  ///< likewise
  /// An address, or the name of an allocation that has room for `bytes`.
  Address address(const YamlNode& node, Bytes bytes) const;

 private:
  struct Allocation {
    Address address;
    Bytes bytes;
  };
  const Allocation& at(const YamlNode& name) const;

  std::map<std::string, Allocation> all_;
};

/// Reads a call `copy` or `memset`; not its label, which is to be unique, nor its stream.
CopyCommand read_copy(const YamlMap& call, bool memset, const Allocations& allocations);

}  // namespace gputlm
