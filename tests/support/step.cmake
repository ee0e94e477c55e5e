# SPDX-License-Identifier: Apache-2.0
# step(COMMAND...): runs it, in the folder WHERE if that is set, and stops with its words if it
# fails. What it says is left in `output`.
function(step)
  if(NOT WHERE)
    set(WHERE ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WHERE}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
