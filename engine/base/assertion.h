/* Assertions on programmer errors; gone in release builds, never reachable from user input. */
#pragma once

#include <assert.h>

#define ORIEL_ASSERT(condition) assert(condition)
