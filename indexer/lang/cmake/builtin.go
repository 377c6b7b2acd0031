package cmake

import "strings"

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// starts are commands that show, in the first column, that the parenthesis
// before them was left open.
var starts = words(`project function macro endfunction endmacro add_library add_executable add_custom_target add_test add_subdirectory
	option set include find_package if endif foreach endforeach target_link_libraries install cmake_minimum_required`)

// documented are commands that a comment above them speaks of, not of the file.
var documented = words(`function macro option set add_library add_executable add_custom_target add_test`)

var builtins = words(`add_compile_definitions add_compile_options add_custom_command add_definitions add_link_options aux_source_directory
	block break build_command build_name cmake_host_system_information cmake_language cmake_minimum_required cmake_parse_arguments
	cmake_path cmake_policy continue create_test_sourcelist define_property else elseif enable_language enable_testing endblock
	endforeach endif endwhile exec_program execute_process export export_library_dependencies file find_file find_library find_path
	find_program fltk_wrap_ui foreach get_cmake_property get_directory_property get_filename_component get_property
	get_source_file_property get_target_property get_test_property if include_directories include_external_msproject
	include_guard include_regular_expression install link_directories link_libraries list load_cache load_command mark_as_advanced
	math message qt_wrap_cpp qt_wrap_ui remove remove_definitions return separate_arguments set_directory_properties set_property
	set_source_files_properties set_target_properties set_tests_properties site_name source_group string subdirs
	target_compile_definitions target_compile_features target_compile_options target_include_directories target_link_directories
	target_link_options target_precompile_headers try_compile try_run unset use_mangled_mesa utility_source variable_requires
	variable_watch while write_file not and or defined exists fetchcontent_makeavailable fetchcontent_populate
	fetchcontent_getproperties feature_summary find_package_handle_standard_args write_basic_package_version_file
	configure_package_config_file generate_export_header add_feature_info set_package_properties cmake_push_check_state
	cmake_pop_check_state cmake_print_variables externalproject_add_step externalproject_get_property gtest_discover_tests
	gtest_add_tests check_required_components processorcount export_jar`)

// builtin tells commands of CMake and its usual modules from ones that a
// project defines.
func builtin(name string) bool {
	return builtins[name] || strings.HasPrefix(name, "check_") || strings.HasPrefix(name, "ctest_") || strings.HasPrefix(name, "cpack_")
}
