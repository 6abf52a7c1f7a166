# Debian 12 packages only; scripts/setup holds the list. Each heavy one is named by the one room that needs it.
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(LibArchive REQUIRED)  # its headers; loaded when an archive is written
find_package(ZLIB REQUIRED)
find_package(benchmark REQUIRED)
find_package(doctest REQUIRED)

# Every shared library costs each start of kilter about 0.1 ms; where Debian has the archive too, that is linked.
function(prefer_archive target archive)
  find_library(KILTER_${target}_ARCHIVE ${archive})
  if(KILTER_${target}_ARCHIVE)
    set_target_properties(${target} PROPERTIES IMPORTED_CONFIGURATIONS NONE IMPORTED_LOCATION_NONE ${KILTER_${target}_ARCHIVE}
                                               IMPORTED_LOCATION ${KILTER_${target}_ARCHIVE})
  endif()
endfunction()
prefer_archive(yaml-cpp libyaml-cpp.a)
prefer_archive(SQLite::SQLite3 libsqlite3.a)
