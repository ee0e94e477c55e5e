# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into PREFIX, anew.
include(${CMAKE_CURRENT_LIST_DIR}/../support/step.cmake)
file(REMOVE_RECURSE ${PREFIX})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
