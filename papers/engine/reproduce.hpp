// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <papers/engine/computations.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/engine/publication.hpp>

/// Prose, printed numbers and computations put together.
namespace carom::papers {

/// A text with its {names}, which may have formats as fmt knows them ({worst:.0e}), replaced by
/// values; {{ and }} are braces. @param place  of the text; throws InputError with it
[[nodiscard]] std::string filled(std::string_view text, const Values& values,
                                 const std::string& place);

/// Recomputes a publication. Throws InputError with file and line where a section or an erratum
/// has no function, a function no section, a cell or a statement an unknown erratum, a text a name
/// that was not returned.
/// @param files  with papers/NAME/publication.md, errata.md and the tables
[[nodiscard]] Reproduction reproduce(std::string_view name, std::span<const EmbeddedFile> files,
                                     const Computations& computations);

/// A publication as its built-in files describe it.
[[nodiscard]] Publication publication(std::string_view name,
                                      std::function<Computations()> computations);
/// The same of long computations.
[[nodiscard]] Publication publication(std::string_view name,
                                      std::function<Computations(const Work&)> computations);

}  // namespace carom::papers
