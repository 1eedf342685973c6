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

extern const struct oriel_function_group oriel_functions_arithmetic;
extern const struct oriel_function_group oriel_functions_array_edit;
extern const struct oriel_function_group oriel_functions_array_search;
extern const struct oriel_function_group oriel_functions_cast;
extern const struct oriel_function_group oriel_functions_compare;
extern const struct oriel_function_group oriel_functions_compare_in;
extern const struct oriel_function_group oriel_functions_compare_set;
extern const struct oriel_function_group oriel_functions_hash;
extern const struct oriel_function_group oriel_functions_json_build;
extern const struct oriel_function_group oriel_functions_json_check;
extern const struct oriel_function_group oriel_functions_json_query;
extern const struct oriel_function_group oriel_functions_like;
extern const struct oriel_function_group oriel_functions_logic;
extern const struct oriel_function_group oriel_functions_map;
extern const struct oriel_function_group oriel_functions_math;
extern const struct oriel_function_group oriel_functions_math_round;
extern const struct oriel_function_group oriel_functions_nested;
extern const struct oriel_function_group oriel_functions_random;
extern const struct oriel_function_group oriel_functions_regexp;
extern const struct oriel_function_group oriel_functions_regexp_split;
extern const struct oriel_function_group oriel_functions_string_build;
extern const struct oriel_function_group oriel_functions_string_case;
extern const struct oriel_function_group oriel_functions_string_charset;
extern const struct oriel_function_group oriel_functions_string_encode;
extern const struct oriel_function_group oriel_functions_string_inet;
extern const struct oriel_function_group oriel_functions_string_property;
extern const struct oriel_function_group oriel_functions_string_search;
extern const struct oriel_function_group oriel_functions_string_slice;
extern const struct oriel_function_group oriel_functions_string_trim;
extern const struct oriel_function_group oriel_functions_string_url;
extern const struct oriel_function_group oriel_functions_temporal_convert;
extern const struct oriel_function_group oriel_functions_temporal_extract;
extern const struct oriel_function_group oriel_functions_temporal_now;
extern const struct oriel_function_group oriel_functions_temporal_overlaps;
extern const struct oriel_function_group oriel_functions_temporal_shift;
extern const struct oriel_function_group oriel_functions_temporal_zone;
extern const struct oriel_function_group oriel_functions_unavailable;
