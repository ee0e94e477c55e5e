# SPDX-License-Identifier: Apache-2.0
# carom_install_headers(ROOT...): installs these headers and all of the project's that they include,
# to any depth; what only sources include stays private. The walk is made when installing, so that it
# goes by the headers as they are then.
function(carom_install_headers)
  install(CODE "
    set(CAROM_HEADERS \"${ARGN}\")
    set(CAROM_SOURCE \"${PROJECT_SOURCE_DIR}\")
    set(CAROM_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
    include(\"${CMAKE_CURRENT_FUNCTION_LIST_FILE}\")")
endfunction()

if(CAROM_HEADERS)
  cmake_policy(VERSION 3.25)
  cmake_path(ABSOLUTE_PATH CAROM_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  set(seen "")
  while(CAROM_HEADERS)
    list(POP_FRONT CAROM_HEADERS header)
    if(header IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${header})
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL ${CAROM_SOURCE}/${header} DESTINATION ${CAROM_INCLUDEDIR}/${folder})
    file(STRINGS ${CAROM_SOURCE}/${header} includes REGEX "^#include <carom/")
    list(TRANSFORM includes REPLACE "^#include <([^>]+)>.*" "\\1")
    list(APPEND CAROM_HEADERS ${includes})
  endwhile()
endif()
