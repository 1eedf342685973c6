/*
 * Schemas of the Arrow C data interface: one for each field, nested ones with those of their parts.
 */
#include <string.h>

#include "engine/api/arrow_build.h"
#include "engine/api/engine_internal.h"
#include "engine/io/arrow_type.h"

struct owned_schema {
    struct oriel_arrow_owner owner;
    struct ArrowSchema *children;
    struct ArrowSchema **child_pointers;
    uint32_t child_count;
    char *texts; /* format and name, each ended by NUL */
    size_t texts_bytes;
};

/* What building needs; `arena` holds formats for as long as it takes. */
struct building {
    struct oriel_arrow_owner owner;
    struct oriel_arena arena;
    const char *zone;
};

static void schema_release(struct ArrowSchema *schema) {
    struct owned_schema *own = schema->private_data;
    const struct oriel_arrow_owner owner = own->owner;
    for (uint32_t i = 0; i < own->child_count; i++) {
        if (own->children[i].release)
            own->children[i].release(&own->children[i]);
    }
    oriel_memory_release(owner.memory, own->children, own->child_count * sizeof *own->children);
    oriel_memory_release(owner.memory, own->child_pointers,
                         own->child_count * sizeof *own->child_pointers);
    oriel_memory_release(owner.memory, own->texts, own->texts_bytes);
    oriel_memory_release(owner.memory, own, sizeof *own);
    schema->release = NULL;
    if (owner.engine)
        oriel_engine_return(owner.engine);
}

/* A schema with room for its children; *out can be released, also when it fails. */
static bool begin_schema(const struct building *building, const char *format, const char *name,
                         bool nullable, uint32_t child_count, struct ArrowSchema *out) {
    struct oriel_memory *memory = building->owner.memory;
    const size_t format_bytes = strlen(format) + 1, name_bytes = strlen(name) + 1;
    struct owned_schema *own = oriel_memory_allocate_zeroed(memory, 1, sizeof *own);
    if (!own)
        return false;
    own->owner = building->owner;
    if (own->owner.engine)
        oriel_engine_lend(own->owner.engine);
    *out = (struct ArrowSchema){.release = schema_release, .private_data = own};
    own->texts = oriel_memory_allocate(memory, format_bytes + name_bytes);
    if (!own->texts)
        return false;
    own->texts_bytes = format_bytes + name_bytes;
    memcpy(own->texts, format, format_bytes);
    memcpy(own->texts + format_bytes, name, name_bytes);
    out->format = own->texts;
    out->name = own->texts + format_bytes;
    out->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
    if (!child_count)
        return true;
    own->children = oriel_memory_allocate_zeroed(memory, child_count, sizeof *own->children);
    if (!own->children)
        return false;
    own->child_pointers =
        oriel_memory_allocate_zeroed(memory, child_count, sizeof *own->child_pointers);
    if (!own->child_pointers) {
        oriel_memory_release(memory, own->children, child_count * sizeof *own->children);
        own->children = NULL;
        return false;
    }
    own->child_count = child_count;
    for (uint32_t i = 0; i < child_count; i++)
        own->child_pointers[i] = &own->children[i];
    out->n_children = child_count;
    out->children = own->child_pointers;
    return true;
}

static bool build_field(struct building *building, const struct oriel_type *type, const char *name,
                        struct ArrowSchema *out);

/* One child for each field of a ROW, the element of an ARRAY, the entries of a MAP. */
static bool build_nested(struct building *building, const struct oriel_type *type, const char *name,
                         struct ArrowSchema *out) {
    const struct oriel_field *fields = type->fields;
    if (type->id == ORIEL_TYPE_ARRAY)
        return begin_schema(building, "+l", name, type->nullable, 1, out) &&
               build_field(building, &fields[0].type, "item", out->children[0]);
    if (type->id == ORIEL_TYPE_MAP) {
        const struct oriel_type key = oriel_type_with_null(fields[0].type, false);
        return begin_schema(building, "+m", name, type->nullable, 1, out) &&
               begin_schema(building, "+s", "entries", false, 2, out->children[0]) &&
               build_field(building, &key, "key", out->children[0]->children[0]) &&
               build_field(building, &fields[1].type, "value", out->children[0]->children[1]);
    }
    bool ok = begin_schema(building, "+s", name, type->nullable, type->field_count, out);
    for (uint32_t i = 0; i < type->field_count && ok; i++)
        ok = build_field(building, &fields[i].type, fields[i].name ? fields[i].name : "",
                         out->children[i]);
    return ok;
}

static bool build_field(struct building *building, const struct oriel_type *type, const char *name,
                        struct ArrowSchema *out) {
    bool memory_failed;
    const char *format =
        oriel_arrow_type_format(type, building->zone, &building->arena, &memory_failed);
    if (memory_failed)
        return false;
    return format ? begin_schema(building, format, name, type->nullable, 0, out)
                  : build_nested(building, type, name, out);
}

enum oriel_status oriel_arrow_schema_build(struct oriel_arrow_owner owner,
                                           struct oriel_schema schema, const char *zone,
                                           struct ArrowSchema *out, struct oriel_error *error) {
    struct building building = {.owner = owner, .zone = zone};
    oriel_arena_init(&building.arena, owner.memory);
    *out = (struct ArrowSchema){0};
    bool ok = begin_schema(&building, "+s", "", false, schema.field_count, out);
    for (uint32_t i = 0; i < schema.field_count && ok; i++)
        ok =
            build_field(&building, &schema.fields[i].type, schema.fields[i].name, out->children[i]);
    oriel_arena_deinit(&building.arena);
    if (ok)
        return ORIEL_OK;
    if (out->release)
        out->release(out);
    return oriel_error_memory(error);
}
