// SPDX-License-Identifier: Apache-2.0
#include <carom/report/record_parts.hpp>

#include <filesystem>

namespace carom::report {

void begin_picture(JsonWriter& out, std::string_view kind, const scenario::Scenario& s,
                   std::string_view subtitle) {
  out.begin_object().member("kind", kind);
  out.member("title",
             s.title.empty() ? std::filesystem::path(s.name).filename().string() : s.title);
  out.member("subtitle", subtitle);
}

void write_quantities(JsonWriter& out, std::initializer_list<RecordQuantity> quantities) {
  out.key("quantities").begin_object();
  for (const RecordQuantity& q : quantities) {
    out.key(q.key).begin_object();
    out.member("name", q.name).member("symbol", q.symbol).member("unit", q.unit).end_object();
  }
  out.end_object();
}

std::string pretty(const std::array<double, 2>& pair) {
  return fmt::format("({}, {})", pretty(pair[0]), pretty(pair[1]));
}

std::string picture_member(JsonWriter& picture) { return ",\n\"picture\":" + picture.take(); }

}  // namespace carom::report
