// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All of carom::study. What these headers include is installed, other headers are not.

// Scenario files, and lines of JSON.
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/problem_json.hpp>
#include <carom/scenario/registered_systems.hpp>
#include <carom/scenario/scenario.hpp>

// Laws compared, maps, many impacts, derivatives.
#include <carom/study/batch/batch.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map/map.hpp>
#include <carom/study/quantity.hpp>
#include <carom/study/sensitivity.hpp>
#include <carom/study/spatial_batch.hpp>

// Tables, files and pictures of them.
#include <carom/report/comparison/report.hpp>
#include <carom/report/impact_record.hpp>
#include <carom/report/map/csv.hpp>
#include <carom/report/map/hdf5.hpp>
#include <carom/report/map/record.hpp>
#include <carom/report/map/summary.hpp>
#include <carom/report/motion/files.hpp>
#include <carom/report/motion/hdf5.hpp>
#include <carom/report/motion/history.hpp>
#include <carom/report/motion/log.hpp>
#include <carom/report/motion/record.hpp>
#include <carom/report/motion/vtk.hpp>
#include <carom/report/picture.hpp>
#include <carom/report/sensitivity_report.hpp>
