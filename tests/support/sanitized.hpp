// SPDX-License-Identifier: Apache-2.0
#pragma once

/// CAROM_SANITIZED is defined under a sanitizer that replaces the allocation of memory. g++ and
/// clang have different ways to ask.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAROM_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define CAROM_SANITIZED
#endif
#endif
