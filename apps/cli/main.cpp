// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

int main(int argc, char** argv) { return carom::cli::run(argc, argv); }
