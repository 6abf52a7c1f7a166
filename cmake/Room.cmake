# room(NAME DEPS <rooms> LIBS <libraries>): the static library of src/NAME.
# Its sources are listed in src/NAME/sources.cmake (set(SOURCES ...)); DEPS are the only rooms it may include,
# which tests/layers.py checks against the #include lines. COLD: a room that waits for others (processes, disks, users)
# and is compiled with -O1 in release builds, a fifth faster.
function(room name)
  cmake_parse_arguments(ROOM "COLD" "" "DEPS;LIBS" ${ARGN})
  include(${CMAKE_CURRENT_SOURCE_DIR}/${name}/sources.cmake)
  list(TRANSFORM SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  add_library(kilter_${name} STATIC ${SOURCES})
  target_link_libraries(kilter_${name} PUBLIC kilter_settings PRIVATE ${ROOM_LIBS})
  if(ROOM_COLD)
    target_compile_options(kilter_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  precompile(kilter_${name} ${CMAKE_CURRENT_SOURCE_DIR}/precompiled.h kilter_base)
  foreach(dep ${ROOM_DEPS})
    target_link_libraries(kilter_${name} PUBLIC kilter_${dep})
  endforeach()
endfunction()
