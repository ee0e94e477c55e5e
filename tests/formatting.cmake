# SPDX-License-Identifier: Apache-2.0
# Every source of ours is as clang-format would have it.
file(GLOB_RECURSE sources ${SOURCE}/carom/*.?pp ${SOURCE}/apps/*.?pp ${SOURCE}/papers/*.?pp
  ${SOURCE}/python/bindings/*.?pp
  ${SOURCE}/tests/*.?pp ${SOURCE}/benchmarks/*.?pp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "run clang-format -i on the files above")
endif()
