/* The version of the API; meson.build checks that the project's version agrees. */
#pragma once

#include "oriel/export.h"

#define ORIEL_VERSION_MAJOR 0
#define ORIEL_VERSION_MINOR 1
#define ORIEL_VERSION_PATCH 0

ORIEL_BEGIN_DECLS

/* The version of the library that is linked, "MAJOR.MINOR.PATCH"; a static string. */
ORIEL_API const char *oriel_version(void);

ORIEL_END_DECLS
