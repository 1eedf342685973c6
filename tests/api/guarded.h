/* Memory that ends at a page nobody may touch: one byte read or written too far kills the test. */
#pragma once

#include <stddef.h>

/* `size_bytes` bytes that end where the guard page begins; freed by guarded_free_all. */
void *guarded(size_t size_bytes);

/* The same with a copy of `bytes`. */
void *guarded_copy(const void *bytes, size_t size_bytes);

/* Makes all blocks that there are read-only. */
void guarded_freeze_all(void);

void guarded_free_all(void);
