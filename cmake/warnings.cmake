# SPDX-License-Identifier: Apache-2.0
# Warnings of our own code are errors; those of users' code and of other projects are theirs.
function(carom_warnings target)
  if(PROJECT_IS_TOP_LEVEL)
    # g++ 12 sees overlaps, overflows and bounds in std::string's operator+ that are not there (its bug
    # 105651); with precompiled headers it reports them.
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
      -Wold-style-cast -Wunused -Woverloaded-virtual -Werror "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")
  endif()
endfunction()
