/*
 * Composite keys: one or more columns of any types, seen as one value of a row. NULL equals NULL,
 * NaN equals NaN, -0.0 equals 0.0; in order NULL is lowest and NaN largest, strings go by bytes.
 */
#pragma once

#include "engine/columns/batch.h"
#include "engine/plan/plan.h"

struct oriel_kernels;

/* hashes[i] = hash of row i of the columns; equal keys have equal hashes. All 64 bits are usable.
 * The columns start at a row whose validity bit is bit 0 of their words. */
void oriel_row_key_hash(const struct oriel_kernels *kernels, const struct oriel_column *columns,
                        uint32_t column_count, size_t row_count, uint64_t *hashes);

/* Whether two rows of columns of the same types are equal. */
bool oriel_row_key_equal(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                         size_t row_b, uint32_t column_count);

/* The order of two rows by the columns named in `items`; <0, 0, >0. Both sides have the schema that
 * the items speak of. */
int oriel_row_key_order(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                        size_t row_b, const struct oriel_sort_item *items, uint32_t item_count);

/* The bits of a number as keys keep it: one NaN, no -0.0. */
double oriel_row_key_normal_f64(double value);
float oriel_row_key_normal_f32(float value);
