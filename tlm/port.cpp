#include "tlm/port.h"

namespace gputlm {

template class InitiatorPort<Access>;
template class TargetPort<Access>;

}  // namespace gputlm
