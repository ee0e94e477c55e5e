# SPDX-License-Identifier: Apache-2.0
# Fails if an object file of an instruction set (batch/avx*) defines a weak function: the linker might
# take that copy for the whole program, which then would not run on other machines. Weak data (V, u)
# has no instructions and is harmless.
if(NOT OBJECTS MATCHES "batch/avx")
  message(FATAL_ERROR "no object files of instruction sets among ${OBJECTS}")
endif()
foreach(object IN LISTS OBJECTS)
  if(object MATCHES "batch/avx")
    execute_process(COMMAND ${NM} --demangle --defined-only ${object}
      OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    if(NOT symbols MATCHES " T carom::study::solve_avx")
      message(FATAL_ERROR "${object} does not define its kernel:\n${symbols}")
    endif()
    string(REGEX MATCHALL "[^\n]* [Wwi] [^\n]*" shared "${symbols}")
    if(shared)
      list(JOIN shared "\n" shared)
      message(FATAL_ERROR "${object} shares functions with other files:\n${shared}")
    endif()
  endif()
endforeach()
