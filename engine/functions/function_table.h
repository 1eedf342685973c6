/*
 * Inside engine/functions: the groups that make up the table of functions. The rows of a group are
 * in order of name.
 */
#pragma once

#include "engine/functions/function.h"

struct oriel_function_group {
    const struct oriel_function *rows;
    size_t count;
};
