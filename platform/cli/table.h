/// Tables on the terminal and in documents.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

using Row = std::vector<std::string>;

/// Columns two spaces apart, the last one unpadded so that no line ends in spaces.
std::string table(const Row& header, const std::vector<Row>& rows);
/// The same for a document.
std::string markdown_table(const Row& header, const std::vector<Row>& rows);

}  // namespace gputlm
