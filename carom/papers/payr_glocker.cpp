// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>

namespace carom::papers {

Reproduction payr_glocker() { return {}; }

}  // namespace carom::papers
