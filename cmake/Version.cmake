# kilter_version(TARGET): the program's version and the commit it is built from, looked up at every build, compiled anew only
# when they change (src/base/version.h).
function(kilter_version target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/version.cc)
  add_custom_target(version_stamp
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${source} -D VERSION=${PROJECT_VERSION} -D TREE=${CMAKE_SOURCE_DIR}
            -P ${CMAKE_SOURCE_DIR}/cmake/WriteVersion.cmake
    BYPRODUCTS ${source}
    VERBATIM)
  set_source_files_properties(${source} PROPERTIES GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
  add_dependencies(${target} version_stamp)
endfunction()
