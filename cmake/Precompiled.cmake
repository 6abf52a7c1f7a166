# precompile(TARGET HEADER OWNER): TARGET uses the precompiled HEADER of OWNER, which must be compiled with the same flags;
# OWNER itself compiles it.
option(KILTER_PRECOMPILE "Compile the common headers once a build" OFF)

function(precompile target header owner)
  if(NOT KILTER_PRECOMPILE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # ccache asks for it
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${header})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# How many sources one unit holds where CMAKE_UNITY_BUILD is on (release and asan): the headers of a room are read once, not
# once a file, and a clean build is three times as fast. Names in anonymous namespaces must so be unique in a room:
# CMAKE_UNITY_BUILD_BATCH_SIZE=0 (a room is one unit) shows all that are not.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
endif()
