# SPDX-License-Identifier: Apache-2.0
# Configures and builds SOURCE against what is installed in PREFIX, and runs its PROGRAM.
include(${CMAKE_CURRENT_LIST_DIR}/../support/step.cmake)
file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G Ninja -D CMAKE_BUILD_TYPE=Release
  -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
step(${CMAKE_COMMAND} --build ${WORK})
step(${WORK}/${PROGRAM} ${ARGUMENTS})
