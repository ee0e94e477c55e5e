# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` gives: libraries with their headers and package file, and with the command
# its examples, pages, manual page, completions and Python package.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

# carom_install_library(COMPONENT TARGET HEADER...): in a file of its own, so that a user needs the
# dependencies only of the components asked for.
function(carom_install_library component target)
  install(TARGETS ${target} EXPORT carom-${component}-targets)
  install(EXPORT carom-${component}-targets NAMESPACE carom:: DESTINATION ${package_directory})
  carom_install_headers(${ARGN})
endfunction()

carom_install_library(carom carom carom/carom.hpp)
if(TARGET carom_batch)
  carom_install_library(batch carom_batch carom/study/spatial_batch.hpp)
endif()
if(TARGET carom_study)
  carom_install_library(study carom_study carom/study.hpp)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/carom-config.cmake.in carom-config.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/carom-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/carom-config-version.cmake DESTINATION ${package_directory})

if(TARGET carom_cli)
  install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/examples
    FILES_MATCHING PATTERN "*.toml" PATTERN "*.py")
  # Beside them, since examples name them relative to their own folder.
  install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/data
    FILES_MATCHING PATTERN "*.csv" PATTERN "*.csv.gz" PATTERN "README.md")
  # Pages as in the source tree, so that links between them work; `examples` there is a link.
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.bib" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.gif"
    PATTERN "*.svg.json")
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  foreach(folder benchmarks data/measured papers)
    install(FILES ${folder}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
  endforeach()
  file(RELATIVE_PATH examples ${CMAKE_INSTALL_FULL_DOCDIR}
    ${CMAKE_INSTALL_FULL_DATADIR}/carom/examples)
  file(CREATE_LINK ${examples} ${CAROM_SHELL_FILES}/examples SYMBOLIC)
  install(FILES ${CAROM_SHELL_FILES}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY python/carom DESTINATION ${CAROM_PYTHON_INSTALL_DIRECTORY}
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  if(TARGET carom_python)
    install(TARGETS carom_python LIBRARY DESTINATION ${CAROM_PYTHON_INSTALL_DIRECTORY}/carom)
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    install(FILES ${CAROM_SHELL_FILES}/carom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${CAROM_SHELL_FILES}/carom.bash RENAME carom
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CAROM_SHELL_FILES}/carom.zsh RENAME _carom
      DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${CAROM_SHELL_FILES}/carom.fish
      DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
