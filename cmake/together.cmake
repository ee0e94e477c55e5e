# SPDX-License-Identifier: Apache-2.0
# Sources that are bound by their headers are compiled together (CMake's unity builds). Names in their
# unnamed namespaces must differ within a group; a source that stands in none is compiled alone.
# Included by every directory that compiles them: properties of sources hold in one directory only.
function(carom_together group room)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/carom/${room}/)
  list(TRANSFORM ARGN APPEND .cpp)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
endfunction()

carom_together(core_a core anderson block_matrix dense_factors dense_system error event_search lanes nearest
  orthogonal undetermined)
carom_together(impact_a impact coefficients contact_problem labels one_contact outcome outcome_words
  regimes surface)
carom_together(impact_b impact brach_system planar/outcome planar/problem semidefinite
  spatial/coefficients spatial/outcome spatial/problem)
carom_together(complementarity_a complementarity friction/sweeps friction/multi friction/cone
  friction/uniqueness friction/scaled friction/local)
carom_together(complementarity_b complementarity impulse_sharing block_lu friction/planar
  friction/infeasibility friction/pivoting modes/newton)
carom_together(complementarity_c complementarity modes/enumeration lcp force_sharing
  friction/factored_attempts friction/factored_newton)
carom_together(complementarity_d complementarity friction/factored friction/velocity_newton modes/tree
  lemke)
carom_together(complementarity_e complementarity friction/velocity_descent
  friction/velocity_interior)
carom_together(laws_a laws conventional kernels brach/brach brach/spatial moreau/spatial springs)
carom_together(laws_c laws darboux_keller/darboux_keller darboux_keller/invariant_rays
  darboux_keller/path darboux_keller/slip_flow compliant table)
carom_together(laws_d laws moreau/moreau moreau/several moreau/derivatives routh sun_baruh)
carom_together(laws_e laws lzb/friction lzb/process)
carom_together(laws_f laws compliant_space/compliant_space compliant_space/path)
carom_together(laws_b laws lzb/lzb lzb/euler lzb/model lzb/prospect lzb/record lzb/system)
carom_together(motion_a motion compliant_events impact_resolver instant mode_decision run settling
  simulation single_impact start)
carom_together(motion_b motion acceleration mechanics compliant_contact contacts event_search events
  islands neighbours present setting)
carom_together(motion_c motion course equations error_scales flight force_distribution indicators
  projection reporter sampler slip spin stretch)
carom_together(motion_d motion separation step_contacts step_guess step_positions step_sampler
  stepping)
carom_together(motion_e motion automatic creep crowd spin_modes step_island
  step_solver)
carom_together(mechanics_d mechanics linkage_model linkage_checks linkage_motion disc_model)
carom_together(mechanics_a mechanics linkage given_contacts model_at_impact rocking_block)
carom_together(mechanics_b mechanics two_bodies near_pairs planar_bodies vehicles vehicles_inverse)
carom_together(mechanics_c mechanics ball_chain contact_frame disc_ball rod_ends
  system_at_impact model prescribed_path)
carom_together(mechanics_planar mechanics planar_model planar_model_contacts planar_model_flight)
carom_together(mechanics_spatial mechanics spatial_bodies spatial_contacts spatial_model spatial_names
  spatial_rod spatial_scene)
carom_together(mechanics_shapes_a mechanics/shapes/space contact hull mass)
carom_together(mechanics_shapes_b mechanics/shapes/space points round)
carom_together(mechanics_shapes_c mechanics shapes/space/shape)
carom_together(mechanics_shapes_c mechanics/shapes/plane contact_motion curve features shape)
carom_together(scenario_a scenario motion/reader motion/linkage_reader assembly_reader
  surface_reader map_request scenario system_reader motion/disc_reader spatial_shape_reader
  motion/plane_shape_reader)
carom_together(scenario_b scenario csv_table fit_request trajectory_request multi_reader
  motion/plane_reader motion/path_reader linkage_reader motion/space_reader motion/grid_reader
  spatial_reader vehicles_reader)
carom_together(scenario_c scenario bodies_json json_values problem_json surface_json)
carom_together(study_a study boundaries boundary_trace law_choice map/layers map/map varied_point)
carom_together(study_c study planar_rows system_point comparison quantity quantity_rows)
carom_together(study_b study batch/batch parallel)
carom_together(report_a report motion/log motion/partners motion/record map/summary motion/shown routh_record
  pending_file table law_words motion/frames motion/history motion/trajectory)
carom_together(report_b report course_record motion/mesh motion/vtk sensitivity_report hodograph_record
  comparison/json record_parts comparison/report comparison/cells comparison/csv map/record map/csv
  map/hdf5 map/words vehicles_record)
carom_together(fit_a scenario data_file)
carom_together(fit_a report/fit files record statistics summary)
carom_together(fit_b report/fit trajectories)
carom_together(fit_b study/fit body_motion flight_start measured_motion nelder_mead trajectory_fit)
carom_together(fit_c study/fit bounds class_differences classes imbalance intervals measurement_errors)
carom_together(fit_d study/fit ranking soundness soundness_words)
carom_together(fit_e study/fit estimation_of minimise models)
carom_together(fit_f study/fit free_body measured_impacts measured_scenario)
carom_together(fit_g study/fit data_set relations)
carom_together(report_c report impact_path json_writer outcome_json packed)
