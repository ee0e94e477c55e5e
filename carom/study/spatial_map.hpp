// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <carom/scenario/map_request.hpp>
#include <carom/study/map.hpp>
#include <carom/study/map_number.hpp>

namespace carom::study {

/// Fills a map of a system in space, whose axes stand already: title, layers and notes.
/// @param point       made for the map's axes
/// @param make_point  makes another such, one for each thread
/// Throws InputError and Interrupted.
void compute_spatial_map(MapPoint& point, const std::function<MapPoint()>& make_point,
                         const scenario::MapRequest& request, const MapOptions& options, Map& map);

}  // namespace carom::study
