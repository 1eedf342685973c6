/*
 * Lists the groups of a window by the ranks of their keys.
 */
#include "engine/exec/top_merge.h"
#include "kernels/kernels.h"

enum { RANKS_A_GROUP = 8 };

void oriel_top_list_deinit(const struct oriel_top_merge *merge, struct oriel_top_list *list) {
    oriel_memory_release(merge->runtime->memory, list->groups,
                         list->capacity * sizeof *list->groups);
    *list = (struct oriel_top_list){0};
}

static void free_words(const struct oriel_top_merge *merge, struct oriel_top_room *room) {
    struct oriel_memory *memory = merge->runtime->memory;
    oriel_memory_release(memory, room->words, 2 * room->capacity * sizeof *room->words);
    oriel_memory_release(memory, room->payload, 2 * room->capacity * sizeof *room->payload);
    room->words = NULL;
    room->payload = NULL;
}

void oriel_top_room_deinit(const struct oriel_top_merge *merge, struct oriel_top_room *room) {
    free_words(merge, room);
    oriel_memory_release(merge->runtime->memory, room->group_of_rank,
                         room->rank_count * sizeof *room->group_of_rank);
    *room = (struct oriel_top_room){0};
}

static bool make_list_room(const struct oriel_top_merge *merge, struct oriel_top_list *list,
                           size_t count) {
    if (count <= list->capacity)
        return true;
    oriel_top_list_deinit(merge, list);
    const size_t capacity = count + count / 4;
    list->groups = oriel_memory_allocate(merge->runtime->memory, capacity * sizeof *list->groups);
    list->capacity = list->groups ? capacity : 0;
    return list->groups;
}

/* Few ranks: an array by rank is filled and read. */
static bool list_by_array(const struct oriel_top_merge *merge, struct oriel_top_room *room,
                          unsigned filter, const struct oriel_top_window *window,
                          struct oriel_top_list *list) {
    if (!room->group_of_rank) {
        room->group_of_rank = oriel_memory_allocate_zeroed(merge->runtime->memory, merge->key_count,
                                                           sizeof *room->group_of_rank);
        if (!room->group_of_rank)
            return false;
        room->rank_count = merge->key_count;
    }
    uint32_t *groups = room->group_of_rank;
    struct oriel_top_member member;
    for (uint32_t slot = 0;
         oriel_top_groups_next(&merge->filters[filter]->groups, window, &slot, &member);)
        groups[merge->rank_of_key[filter][member.key]] = member.group + 1;
    size_t at = 0;
    for (uint32_t rank = 0; at < list->count; rank++) {
        list->groups[at] = (struct oriel_top_ranked){rank, groups[rank] - 1};
        at += groups[rank] != 0;
        groups[rank] = 0;
    }
    return true;
}

static bool list_by_sort(const struct oriel_top_merge *merge, struct oriel_top_room *room,
                         unsigned filter, const struct oriel_top_window *window,
                         struct oriel_top_list *list) {
    struct oriel_memory *memory = merge->runtime->memory;
    const size_t count = list->count;
    if (count > room->capacity) {
        free_words(merge, room);
        room->capacity = count + count / 4;
        room->words = oriel_memory_allocate(memory, 2 * room->capacity * sizeof *room->words);
        room->payload = oriel_memory_allocate(memory, 2 * room->capacity * sizeof *room->payload);
        if (!room->words || !room->payload)
            return false;
    }
    struct oriel_top_member member;
    size_t at = 0;
    for (uint32_t slot = 0;
         oriel_top_groups_next(&merge->filters[filter]->groups, window, &slot, &member);) {
        room->words[at] = merge->rank_of_key[filter][member.key];
        room->payload[at++] = member.group;
    }
    merge->runtime->kernels->radix_sort_u64(room->words, room->payload, count,
                                            room->words + room->capacity,
                                            room->payload + room->capacity);
    for (size_t i = 0; i < count; i++)
        list->groups[i] = (struct oriel_top_ranked){(uint32_t)room->words[i], room->payload[i]};
    return true;
}

enum oriel_status oriel_top_list_make(const struct oriel_top_merge *merge,
                                      struct oriel_top_room *room, unsigned filter, uint32_t window,
                                      struct oriel_top_list *list, struct oriel_error *error) {
    const struct oriel_top_window *own = merge->windows[filter][window];
    list->count = 0;
    if (!own)
        return ORIEL_OK;
    if (!make_list_room(merge, list, own->group_count))
        return oriel_error_memory(error);
    list->count = own->group_count;
    const bool listed = merge->key_count / RANKS_A_GROUP <= list->count
                            ? list_by_array(merge, room, filter, own, list)
                            : list_by_sort(merge, room, filter, own, list);
    return listed ? ORIEL_OK : oriel_error_memory(error);
}
