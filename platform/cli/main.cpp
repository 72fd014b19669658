#include "platform/cli/cli.h"

int main(int argc, char** argv) { return gputlm::command_line(argc, argv); }
