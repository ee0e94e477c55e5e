# SPDX-License-Identifier: Apache-2.0
# carom_embed_examples(FILE): writes a C++ source that holds the texts of examples/, by name.
function(carom_embed_examples file)
  file(GLOB_RECURSE scenarios RELATIVE ${PROJECT_SOURCE_DIR}/examples CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/examples/*.toml)
  set(rows "")
  foreach(scenario IN LISTS scenarios)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/examples/${scenario})
    file(READ ${PROJECT_SOURCE_DIR}/examples/${scenario} text)
    string(REGEX REPLACE "\\.toml$" "" name ${scenario})
    string(APPEND rows "    {\"${name}\", R\"toml(${text})toml\"},\n")
  endforeach()
  set(CAROM_EXAMPLES "${rows}")
  configure_file(${PROJECT_SOURCE_DIR}/carom/papers/examples.cpp.in ${file} @ONLY)
endfunction()
