// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All of carom::study. What these headers include is installed, other headers are not.

// Scenario files, and lines of JSON.
#include <carom/scenario/motion_reader.hpp>
#include <carom/scenario/problem_json.hpp>
#include <carom/scenario/scenario.hpp>

// Laws compared, maps, many impacts, derivatives.
#include <carom/study/batch.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map.hpp>
#include <carom/study/quantity.hpp>
#include <carom/study/sensitivity.hpp>
#include <carom/study/spatial_batch.hpp>

// Tables, files and pictures of them.
#include <carom/report/comparison_report.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/map_csv.hpp>
#include <carom/report/map_hdf5.hpp>
#include <carom/report/map_record.hpp>
#include <carom/report/map_summary.hpp>
#include <carom/report/motion_files.hpp>
#include <carom/report/motion_hdf5.hpp>
#include <carom/report/motion_history.hpp>
#include <carom/report/motion_log.hpp>
#include <carom/report/motion_record.hpp>
#include <carom/report/motion_vtk.hpp>
#include <carom/report/picture.hpp>
#include <carom/report/sensitivity_report.hpp>
