#pragma once

// What most tests include anyway (cmake/Precompiled.cmake).
#include "precompiled.h"

#include <doctest/doctest.h>
