/// The size in which a design is checked: from the user's arguments, the module's parameters, and its ports.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/design.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// A design in the size in which it is checked.
struct SizedDesign {
  RtlDesign design;
  RtlParameters size;        ///< all size parameters of its kind
  RtlParameters parameters;  ///< parameters that the module is given
  RtlDesign::Interface interface;
};

/// `size`: "32x16x4", or empty; given by `option`. `parameters`: "RowW=14", of the size or the module's own, each at most
/// once. Throws InputError for text of another form and for numbers out of range.
RtlParameters given_size(const Kind& kind, const std::string& size, const std::vector<std::string>& parameters,
                         const std::string& option = "--size");

/// `plain` is the interface of the design with default parameters. Missing values are the kind's defaults if the module has
/// such a parameter, and otherwise follow from the ports. Throws InputError for a parameter that neither the kind nor the
/// module has, and for a port whose width does not match the size.
SizedDesign in_size(const RtlDesign& design, const RtlDesign::Interface& plain, const Kind& kind,
                    const RtlParameters& given);

/// "EntriesxBanksxApps"
std::string words_of_size(const Kind& kind);

}  // namespace gputlm
