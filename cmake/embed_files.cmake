# SPDX-License-Identifier: Apache-2.0
# carom_embed_files(SOURCE FILE...): makes a C++ source that holds the texts of FILES, which are paths
# from the root of the tree. It is made anew when one of them changes.
function(carom_embed_files source)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE depends)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D SOURCE=${source} "-DFILES=${ARGN}"
      -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${depends} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(path IN LISTS FILES)
    file(READ ${ROOT}/${path} text)
    string(APPEND rows "    {\"${path}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(WRITE ${SOURCE} "#include <papers/engine/embedded.hpp>\n\nnamespace carom::papers {\n\n"
    "std::span<const EmbeddedFile> embedded_files() {\n"
    "  static constexpr EmbeddedFile all[] = {\n${rows}  };\n  return all;\n}\n\n"
    "}  // namespace carom::papers\n")
endif()
