# room(NAME DEPS <rooms> LIBS <libraries>): the static library of src/NAME.
# Its sources are listed in src/NAME/sources.cmake (set(SOURCES ...)); DEPS are the only rooms it may include,
# which tests/layers.py checks against the #include lines.
function(room name)
  cmake_parse_arguments(ROOM "" "" "DEPS;LIBS" ${ARGN})
  include(${CMAKE_CURRENT_SOURCE_DIR}/${name}/sources.cmake)
  list(TRANSFORM SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  add_library(kilter_${name} STATIC ${SOURCES})
  target_link_libraries(kilter_${name} PUBLIC kilter_settings PRIVATE ${ROOM_LIBS})
  foreach(dep ${ROOM_DEPS})
    target_link_libraries(kilter_${name} PUBLIC kilter_${dep})
  endforeach()
endfunction()
