# SPDX-License-Identifier: Apache-2.0
# A and B must print the same hash.
execute_process(COMMAND ${A} OUTPUT_VARIABLE a COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${B} OUTPUT_VARIABLE b COMMAND_ERROR_IS_FATAL ANY)
if(NOT a STREQUAL b)
  message(FATAL_ERROR "the outcomes differ in their bits: ${a} and ${b}")
endif()
message(STATUS "both ${a}")
