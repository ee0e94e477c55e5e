// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <carom/mechanics/model.hpp>

namespace carom::motion {

/// The contacts of a run by number, in the order in which they were found: those that the model
/// knows from the start come first.
///
/// Many contacts come within reach and part again without touching: each feature of two tumbling
/// polyhedra does. Their numbers are taken over by others, so that work and memory grow with the
/// contacts within reach and those that have touched.
class ContactList {
 public:
  explicit ContactList(const Model& model);

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] const ContactId& operator[](std::size_t i) const { return ids_[i]; }
  /// The number of a contact, which is added if it is new.
  [[nodiscard]] std::size_t number_of(const ContactId& id);
  [[nodiscard]] bool has(const ContactId& id) const;

  /// The contact keeps its number: it has touched, or was reported.
  void keep(std::size_t i) { use_[i] = Use::kept; }
  /// New contacts may take over the numbers of those that are not kept, unless `number_of` is asked
  /// for these before.
  void release();
  /// The numbers that were taken over since it was called last.
  void take_renamed(std::vector<std::size_t>& out);
  /// Changes whenever a number gets a contact.
  [[nodiscard]] std::size_t version() const { return version_; }

  // Which numbers are kept and which may be taken over, for Continuation.
  [[nodiscard]] std::vector<double> save_use() const;
  void load_use(const std::vector<double>& use);

 private:
  struct Hash {
    [[nodiscard]] std::size_t operator()(const ContactId& id) const;
  };
  enum class Use : std::uint8_t { released, used, kept };
  [[nodiscard]] std::size_t known_number(const ContactId& id) const;
  void list_released();

  std::vector<ContactId> ids_;
  std::vector<Use> use_;
  std::unordered_map<ContactId, std::size_t, Hash> numbers_;
  std::vector<std::size_t> released_;  ///< descending; some may be in use again
  std::vector<std::size_t> renamed_;
  std::size_t version_ = 0;
};

}  // namespace carom::motion
