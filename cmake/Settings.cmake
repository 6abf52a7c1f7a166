# kilter_settings: language level, warnings and sanitizers, linked by our own code only.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(KILTER_WERROR "Treat warnings as errors" ON)
set(KILTER_SANITIZE "" CACHE STRING "Sanitizers for all our code, e.g. address,undefined")

add_library(kilter_settings INTERFACE)
target_include_directories(kilter_settings INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(kilter_settings INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  # g++ 12, optimising, sees overlaps, overflows and uninitialised bytes in std::string and tl::expected that are not
  # there.
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond -Wno-restrict -Wno-maybe-uninitialized
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>
  $<$<BOOL:${KILTER_WERROR}>:-Werror>)
target_compile_definitions(kilter_settings INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(KILTER_SANITIZE)
  target_compile_options(kilter_settings INTERFACE -fsanitize=${KILTER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(kilter_settings INTERFACE -fsanitize=${KILTER_SANITIZE})
endif()
