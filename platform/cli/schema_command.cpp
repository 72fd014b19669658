#include <fmt/format.h>

#include <string>

#include "platform/cli/commands.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "platform/input/schema.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class SchemaCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string what_, out_;
};

void SchemaCommand::declare(Arguments& arguments) {
  arguments.optional("what", what_, fmt::format("Kind of file: {}", fmt::join(schemas().names(), ", ")),
                     Values::one_of("KIND", schemas().names()));
  arguments.text("--out", out_, "Write all of them to this folder, each as KIND.json", Values::folder());
  arguments.example("schema workload > workload.json", "for an editor that checks workload files");
}

int SchemaCommand::execute() {
  if (what_.empty() == out_.empty()) throw InputError("schema: allowed is either a kind of file or --out");
  if (!out_.empty()) {
    make_output_folder(out_);
    for (const Schema& schema : schemas())
      write_file(out_ + "/" + schema.name + ".json", json_text(schema_document(schema)));
    return kDone;
  }
  const Schema* const schema = schemas().find(what_);
  if (!schema)
    throw InputError(fmt::format("there is no schema '{}'{}", shortened(what_), suggestion(what_, schemas().names())));
  print(json_text(schema_document(*schema)));
  return kDone;
}

GPUTLM_REGISTER {
  add_command<SchemaCommand>("schema", "Print the JSON schema of a kind of file, for editors", CommandGroup::kAsk);
}

}  // namespace
}  // namespace gputlm
