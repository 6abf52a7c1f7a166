set(SOURCES cmd_texts.cc commands.cc flags.cc help.cc run.cc world.cc)
