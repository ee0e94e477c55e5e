// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>

namespace carom::papers {

Reproduction liu_zhang_zhao_brogliato() { return {}; }

}  // namespace carom::papers
