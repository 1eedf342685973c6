/*
 * The breakers of exec: each keeps the rows it needs and gives a source when its input has ended.
 */
#pragma once

#include "engine/exec/operator.h"

enum oriel_status oriel_session_rows_open(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_sink **out,
                                     struct oriel_error *error);
enum oriel_status oriel_rank_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error);
enum oriel_status oriel_sort_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error);
enum oriel_status oriel_over_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink **out,
                                  struct oriel_error *error);
