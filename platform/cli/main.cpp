#include "platform/cli/commands.h"

int main(int argc, char** argv) { return gputlm::command_line(argc, argv); }
