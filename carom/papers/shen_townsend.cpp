// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>

namespace carom::papers {

Reproduction shen_townsend() { return {}; }

}  // namespace carom::papers
