/// Tables of Nsight Systems' SQLite exports as three versions write them: columns in the tool's order with their
/// source, and the rows of the tables that name numbers.
///
/// Sources, in short:
/// - SSR: "SQLite Schema Reference", Nsight Systems Analysis Guide. It describes the newest schema; `nsys export` puts
///   the same text into each file (`.schema`), where columns and their order were compared for the three versions.
/// - SE: "Common SQLite Examples", the same guide.
/// - CUPTI s: struct s of CUPTI's cupti_activity.h, for what the guide leaves out.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// Versions of Nsight Systems whose exports differ. NOLINTBEGIN(readability-identifier-naming): the tool's own numbers.
enum class NsightVersion {
  k2024_5,  ///< 2024.5.1, schema 3.13.2
  k2025_5,  ///< 2025.5.2, schema 3.24.0
  k2026_2,  ///< 2026.2.1, schema 3.25.0
};
// NOLINTEND(readability-identifier-naming)

struct NsightColumn {
  std::string table, name;
  const char* type;     ///< type in SQLite
  bool required;        ///< whether it is NOT NULL
  NsightVersion since;  ///< first of the versions above that has it
  const char* meaning;  ///< meaning, with unit and with the value that stands for none
  const char* source;
};

/// All columns; those of a table follow each other in the tool's order.
const std::vector<NsightColumn>& nsight_columns();

/// Columns of the tables that say what was recorded: the GPUs, contexts and streams, the processes, the export itself.
const std::vector<NsightColumn>& nsight_target_columns();

/// A row of a table ENUM_...: what a number means.
struct NsightName {
  int id;
  std::string name, label;
};
struct NsightNames {
  std::string table;
  std::vector<NsightName> rows;
};
/// The tables ENUM_... of a version.
std::vector<NsightNames> nsight_names(NsightVersion version);

/// ENUM_NSYS_EVENT_TYPE and ENUM_NSYS_EVENT_CLASS.
NsightNames nsight_event_types(NsightVersion version);
NsightNames nsight_event_classes(NsightVersion version);

}  // namespace gputlm
