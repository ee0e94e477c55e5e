// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>

namespace carom::papers {

Reproduction sun_baruh() { return {}; }

}  // namespace carom::papers
