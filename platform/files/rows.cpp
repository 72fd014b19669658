#include "platform/files/rows.h"

namespace gputlm {

Registry<RowTable>& row_tables() {
  static Registry<RowTable> tables("table of results");
  return tables;
}

}  // namespace gputlm
