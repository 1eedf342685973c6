/*
 * Finds the groups of rows: the key's id first, for the whole batch, then window by window the
 * group in the window's index.
 */
#include "engine/exec/top_groups.h"

#include <string.h>

enum {
    FIRST_WINDOWS = 64,
    FIRST_SLOTS = 4,
    FEW_KEYS = 64,        /* arrays by key id up to this are always good */
    KEYS_A_GROUP = 4,     /* more of them than this: a hash table is smaller */
    LARGE_BYTES = 1 << 15 /* from here on an index is a block of its own, not in the arena */
};

enum oriel_status oriel_top_groups_init(struct oriel_top_groups *groups,
                                        const struct oriel_top_layout *layout,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_error *error) {
    *groups = (struct oriel_top_groups){.layout = layout, .memory = runtime->memory};
    oriel_arena_init(&groups->arena, runtime->memory);
    if (layout->key_count == 0)
        return ORIEL_OK;
    enum oriel_status status =
        oriel_key_table_init(&groups->keys, runtime, layout->key_schema, error);
    groups->key_ids =
        oriel_arena_allocate_zeroed(&groups->arena, runtime->batch_rows, sizeof *groups->key_ids);
    groups->key_columns =
        oriel_arena_allocate_zeroed(&groups->arena, layout->key_count, sizeof *groups->key_columns);
    if (status == ORIEL_OK && (!groups->key_ids || !groups->key_columns))
        status = oriel_error_memory(error);
    if (status != ORIEL_OK)
        oriel_top_groups_deinit(groups);
    return status;
}

static size_t index_bytes(const struct oriel_top_window *window) {
    return window->capacity * (window->by_key ? sizeof *window->by_key : sizeof *window->hashed);
}

static void release_index(struct oriel_top_groups *groups, const struct oriel_top_window *window) {
    const size_t bytes = index_bytes(window);
    if (bytes < LARGE_BYTES)
        return;
    groups->large_bytes -= bytes;
    oriel_memory_release(groups->memory, window->by_key ? (void *)window->by_key : window->hashed,
                         bytes);
}

void oriel_top_groups_deinit(struct oriel_top_groups *groups) {
    struct oriel_memory *memory = groups->memory;
    if (!memory)
        return;
    for (uint32_t i = 0; i < groups->window_count; i++)
        release_index(groups, &groups->windows[i]);
    oriel_memory_release(memory, groups->windows,
                         groups->window_capacity * sizeof *groups->windows);
    oriel_memory_release(memory, groups->window_slots,
                         groups->window_slot_count * sizeof *groups->window_slots);
    oriel_key_table_deinit(&groups->keys);
    oriel_arena_deinit(&groups->arena);
    *groups = (struct oriel_top_groups){0};
}

uint32_t oriel_top_groups_key_count(const struct oriel_top_groups *groups) {
    return groups->layout->key_count ? groups->keys.key_count : 1;
}

size_t oriel_top_groups_bytes(const struct oriel_top_groups *groups) {
    const size_t keys = groups->keys.memory ? oriel_key_table_bytes(&groups->keys) : 0;
    return keys + groups->arena.total_bytes + groups->large_bytes +
           groups->window_capacity * sizeof *groups->windows +
           groups->window_slot_count * sizeof *groups->window_slots;
}

static uint32_t mix(uint64_t value) {
    return (uint32_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static uint32_t window_hash(int64_t end, int64_t start) {
    return mix((uint64_t)end ^ (uint64_t)start << 1 ^ (uint64_t)start >> 63);
}

static bool grow_window_slots(struct oriel_top_groups *groups) {
    const uint32_t count =
        groups->window_slot_count ? groups->window_slot_count * 2 : FIRST_WINDOWS * 2;
    uint32_t *slots = oriel_memory_allocate_zeroed(groups->memory, count, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < groups->window_count; i++) {
        uint32_t at = window_hash(groups->windows[i].end, groups->windows[i].start) & (count - 1);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = i + 1;
    }
    oriel_memory_release(groups->memory, groups->window_slots,
                         groups->window_slot_count * sizeof *slots);
    groups->window_slots = slots;
    groups->window_slot_count = count;
    return true;
}

/* The place of a key in a hashed index, or where it belongs. */
static inline struct oriel_top_member *seek(const struct oriel_top_window *window, uint32_t key) {
    const uint32_t mask = window->capacity - 1;
    uint32_t at = mix(key) & mask;
    while (window->hashed[at].group && window->hashed[at].key != key)
        at = (at + 1) & mask;
    return &window->hashed[at];
}

static inline void put(const struct oriel_top_window *window, uint32_t key, uint32_t group) {
    if (window->by_key)
        window->by_key[key] = group + 1;
    else
        *seek(window, key) = (struct oriel_top_member){key, group + 1};
}

/* Gives the window a new index, which holds what the one before did. */
static bool set_index(struct oriel_top_groups *groups, struct oriel_top_window *window, bool by_key,
                      uint32_t capacity) {
    struct oriel_top_window next = *window;
    const size_t size = by_key ? sizeof *next.by_key : sizeof *next.hashed;
    const bool is_large = capacity * size >= LARGE_BYTES;
    void *index = is_large ? oriel_memory_allocate_zeroed(groups->memory, capacity, size)
                           : oriel_arena_allocate_zeroed(&groups->arena, capacity, size);
    if (!index)
        return false;
    groups->large_bytes += is_large ? capacity * size : 0;
    next.by_key = by_key ? index : NULL;
    next.hashed = by_key ? NULL : index;
    next.capacity = capacity;
    struct oriel_top_member member;
    for (uint32_t slot = 0; oriel_top_groups_next(groups, window, &slot, &member);)
        put(&next, member.key, member.group);
    release_index(groups, window);
    *window = next;
    return true;
}

/* Room for keys that will come, too. */
static uint32_t key_room(const struct oriel_top_groups *groups) {
    const uint32_t count = oriel_top_groups_key_count(groups);
    return count < UINT32_MAX - count / 4 ? count + count / 4 : count;
}

/* Whether an array by key id is good for a window that will have `group_count` groups. */
static bool is_dense(const struct oriel_top_groups *groups, uint32_t group_count) {
    const uint32_t key_count = oriel_top_groups_key_count(groups);
    return key_count <= FEW_KEYS || key_count / KEYS_A_GROUP <= group_count;
}

static bool add_window(struct oriel_top_groups *groups, int64_t end, int64_t start, uint32_t at) {
    if (groups->window_count == groups->window_capacity) {
        const uint32_t capacity =
            groups->window_capacity ? groups->window_capacity * 2 : FIRST_WINDOWS;
        struct oriel_top_window *windows = oriel_memory_resize(
            groups->memory, groups->windows, groups->window_capacity * sizeof *windows,
            capacity * sizeof *windows);
        if (!windows)
            return false;
        groups->windows = windows;
        groups->window_capacity = capacity;
    }
    struct oriel_top_window *window = &groups->windows[groups->window_count];
    *window = (struct oriel_top_window){.end = end, .start = start};
    /* a window is like the one before it */
    const bool by_key =
        is_dense(groups, groups->window_count ? groups->windows[groups->current].group_count : 0);
    if (!set_index(groups, window, by_key, by_key ? key_room(groups) : FIRST_SLOTS))
        return false;
    groups->current = groups->window_count++;
    groups->window_slots[at] = groups->window_count;
    return true;
}

/* Makes the window the current one. */
static bool find_window(struct oriel_top_groups *groups, int64_t end, int64_t start) {
    if (groups->window_count >= groups->window_slot_count / 2 && !grow_window_slots(groups))
        return false;
    const uint32_t mask = groups->window_slot_count - 1;
    uint32_t at = window_hash(end, start) & mask;
    for (; groups->window_slots[at]; at = (at + 1) & mask) {
        const struct oriel_top_window *window = &groups->windows[groups->window_slots[at] - 1];
        if (window->end == end && window->start == start) {
            groups->current = groups->window_slots[at] - 1;
            return true;
        }
    }
    return add_window(groups, end, start, at);
}

/* Room for one more group of the window, whose key is `key`. */
static bool make_room(struct oriel_top_groups *groups, struct oriel_top_window *window,
                      uint32_t key) {
    if (groups->group_count == UINT32_MAX - 1)
        return false;
    if (window->by_key ? key < window->capacity : window->group_count < window->capacity / 2)
        return true;
    if (is_dense(groups, window->group_count + 1))
        return set_index(groups, window, true, key_room(groups));
    uint32_t capacity = FIRST_SLOTS;
    while (capacity / 4 <= window->group_count)
        capacity *= 2;
    return set_index(groups, window, false, capacity);
}

/* The group of a key of the window that has none yet; UINT32_MAX when memory is out. */
static __attribute__((noinline)) uint32_t add_group(struct oriel_top_groups *groups,
                                                    struct oriel_top_window *window, uint32_t key) {
    if (!make_room(groups, window, key))
        return UINT32_MAX;
    const uint32_t group = groups->group_count++;
    put(window, key, group);
    window->group_count++;
    return group;
}

static inline uint32_t find_group(struct oriel_top_groups *groups, struct oriel_top_window *window,
                                  uint32_t key) {
    const uint32_t found = !window->by_key          ? seek(window, key)->group
                           : key < window->capacity ? window->by_key[key]
                                                    : 0;
    return found ? found - 1 : add_group(groups, window, key);
}

/* Rows [begin, end), which all are in the current window. */
static bool find_in_window(struct oriel_top_groups *groups, size_t begin, size_t end,
                           uint32_t *ids) {
    struct oriel_top_window *window = &groups->windows[groups->current];
    if (groups->layout->key_count == 0) {
        const uint32_t group = find_group(groups, window, 0);
        for (size_t i = begin; i < end; i++)
            ids[i] = group;
        return group != UINT32_MAX;
    }
    for (size_t i = begin; i < end; i++) {
        ids[i] = find_group(groups, window, groups->key_ids[i]);
        if (ids[i] == UINT32_MAX)
            return false;
    }
    return true;
}

/* Without windows groups and keys are the same, and no index is needed. */
static enum oriel_status find_by_key(struct oriel_top_groups *groups, size_t row_count,
                                     uint32_t *ids, struct oriel_error *error) {
    if (!groups->window_count && !find_window(groups, 0, 0))
        return oriel_error_memory(error);
    if (groups->layout->key_count == 0)
        return find_in_window(groups, 0, row_count, ids) ? ORIEL_OK : oriel_error_memory(error);
    ORIEL_TRY(oriel_key_table_map(&groups->keys, groups->key_columns, row_count, ids, error));
    groups->group_count = groups->windows[0].group_count = groups->keys.key_count;
    return ORIEL_OK;
}

bool oriel_top_groups_next(const struct oriel_top_groups *groups,
                           const struct oriel_top_window *window, uint32_t *slot,
                           struct oriel_top_member *member) {
    if (!groups->layout->has_windows && groups->layout->key_count) {
        *member = (struct oriel_top_member){*slot, *slot};
        return (*slot)++ < window->group_count;
    }
    while (*slot < window->capacity) {
        const uint32_t at = (*slot)++;
        const uint32_t group = window->by_key ? window->by_key[at] : window->hashed[at].group;
        if (group) {
            *member =
                (struct oriel_top_member){window->by_key ? at : window->hashed[at].key, group - 1};
            return true;
        }
    }
    return false;
}

enum oriel_status oriel_top_groups_find(struct oriel_top_groups *groups,
                                        const struct oriel_batch *batch, uint32_t *ids,
                                        struct oriel_error *error) {
    const struct oriel_top_layout *layout = groups->layout;
    for (uint32_t k = 0; k < layout->key_count; k++)
        groups->key_columns[k] = batch->columns[layout->keys[k]];
    if (!layout->has_windows)
        return find_by_key(groups, batch->row_count, ids, error);
    if (layout->key_count)
        ORIEL_TRY(oriel_key_table_map(&groups->keys, groups->key_columns, batch->row_count,
                                      groups->key_ids, error));
    const int64_t *ends = batch->columns[layout->end_column].values;
    const int64_t *starts = batch->columns[layout->start_column].values;
    for (size_t begin = 0, end; begin < batch->row_count; begin = end) {
        for (end = begin + 1;
             end < batch->row_count && ends[end] == ends[begin] && starts[end] == starts[begin];)
            end++;
        const struct oriel_top_window *window =
            groups->window_count ? &groups->windows[groups->current] : NULL;
        if ((!window || window->end != ends[begin] || window->start != starts[begin]) &&
            !find_window(groups, ends[begin], starts[begin]))
            return oriel_error_memory(error);
        if (!find_in_window(groups, begin, end, ids))
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}
