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
