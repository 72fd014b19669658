// The L2 slices for the pages of an application (ApplicationSpec::dram_channels, l2_slices, allocations).
#include <algorithm>

#include "platform/input/id_set.h"
#include "platform/run/shares.h"
#include "tlm/access.h"

namespace gputlm {
namespace {

/// `what` has the colours: an application or one of its allocations.
template <class Coloured>
struct ColouredPlace {
  const Coloured& what;
  std::string name;
  template <class... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> format, Values&&... values) const {
    throw InputError(what.file, what.line, name + ": " + fmt::format(format, std::forward<Values>(values)...));
  }
};

template <class Coloured, std::size_t N>
void check_coloured_ids(const ColouredPlace<Coloured>& place, const char* key, const std::bitset<N>& ids,
                        const char* units, unsigned count, const std::string& gpu) {
  const std::bitset<N> beyond = ids >> count << count;
  if (ids.any() && beyond.none()) return;
  place.refuse("found {} {}, allowed: {} of {}, 0 to {}", key, ids.none() ? "without one" : ids_text(beyond), units,
               gpu, count - 1);
}

template <class Coloured>
void check_colours(const ColouredPlace<Coloured>& place, const GpuConfig& config) {
  if (const auto& channels = place.what.dram_channels)
    check_coloured_ids(place, "dram_channels", *channels, "channels", config.dram.channels, config.name);
  if (const auto& slices = place.what.l2_slices)
    check_coloured_ids(place, "l2_slices", *slices, "slices", config.slices(), config.name);
}

template <class Coloured>
bool has_colour_of(const GpuConfig& config, const Coloured& coloured, unsigned slice) {
  return (coloured.dram_channels && (*coloured.dram_channels)[slice / config.l2.slices_per_channel]) ||
         (coloured.l2_slices && (*coloured.l2_slices)[slice]);
}

template <class Coloured>
std::vector<unsigned> slices_by_colour(const GpuConfig& config, const Coloured& coloured) {
  std::vector<unsigned> slices;
  for (unsigned slice = 0; slice < config.slices(); ++slice) {
    if (has_colour_of(config, coloured, slice)) slices.push_back(slice);
  }
  return slices;
}

void check_allocations(const ApplicationSpec& application, const GpuConfig& config) {
  std::vector<const ColouredAllocation*> all;
  for (const ColouredAllocation& allocation : application.allocations) {
    const ColouredPlace<ColouredAllocation> place{allocation, "allocation of application " + application.name};
    check_colours(place, config);
    if (allocation.bytes == 0) place.refuse("found no bytes, allowed: a line or more");
    for (const auto& [key, value] : {std::pair("base", allocation.base), {"bytes", allocation.bytes}}) {
      if (value % kLineBytes != 0)
        place.refuse("found {} {}, allowed: multiples of {}, a line", key, value, kLineBytes);
    }
    all.push_back(&allocation);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->base < b->base; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i]->base - all[i - 1]->base >= all[i - 1]->bytes) continue;
    const auto [other, later] = std::minmax(all[i - 1], all[i]);  // by their positions in the list
    ColouredPlace<ColouredAllocation>{*later, "allocation of application " + application.name}.refuse(
        "found {} bytes from {:#x} on, allowed: none that another one has, {} bytes from {:#x} on", later->bytes,
        later->base, other->bytes, other->base);
  }
}

void check_page_colours(const Sharing& s) {
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    check_colours(ColouredPlace<ApplicationSpec>{application, called(application)}, s.parts.gpu_of(a));
    check_allocations(application, s.parts.gpu_of(a));
  }
}

void set_up_page_colours(const Sharing& s, std::size_t part, PartShares& shares) {
  const GpuConfig& config = s.parts[part].config;
  shares.colours.resize(s.applications().size());
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    if (s.parts.of(a) != part) continue;
    shares.colours[a] = slices_by_colour(config, s.applications()[a]);
    for (const ColouredAllocation& of : s.applications()[a].allocations) {
      shares.coloured_ranges.push_back(
          {static_cast<ApplicationId>(a), of.base, of.bytes, slices_by_colour(config, of)});
    }
  }
}

}  // namespace

std::vector<unsigned> coloured_slices(const GpuConfig& config, const ApplicationSpec& application) {
  std::vector<unsigned> slices;
  if (!application.dram_channels && !application.l2_slices) return slices;
  for (unsigned slice = 0; slice < config.slices(); ++slice) {
    const bool of_an_allocation = std::any_of(application.allocations.begin(), application.allocations.end(),
                                              [&](const auto& a) { return has_colour_of(config, a, slice); });
    if (of_an_allocation || has_colour_of(config, application, slice)) slices.push_back(slice);
  }
  return slices;
}

const ShareMechanism kPageColours{check_page_colours, set_up_page_colours, nullptr};

}  // namespace gputlm
