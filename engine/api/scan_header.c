/*
 * Looks into files before they are read, so that columns are found by name. That all other files
 * have the same header is checked when they are read.
 */
#include "engine/api/scan_header.h"

#include <string.h>

#include "engine/plan/bind.h"

int32_t oriel_scan_header_place(const struct oriel_csv_header *header, const char *name) {
    for (uint32_t i = 0; i < header->count; i++) {
        if (strcmp(header->names[i], name) == 0)
            return (int32_t)i;
    }
    return -1;
}

enum oriel_status oriel_scan_header_lacks(const struct oriel_csv_header *header,
                                          const struct oriel_table_options *options,
                                          const char *name, struct oriel_position position,
                                          struct oriel_error *error) {
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name};
    for (uint32_t i = 0; i < header->count; i++)
        oriel_suggestion_offer(&suggestion, header->names[i]);
    return oriel_error_at(
        error, ORIEL_INVALID, position, "the column '%s' is not in the header of '%s'%s", name,
        options->csv.header_path, oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

static enum oriel_status read_first(struct oriel_result *result,
                                    struct oriel_table_options *options,
                                    const struct oriel_file_list *files,
                                    struct oriel_csv_header *out, struct oriel_error *error) {
    for (size_t i = 0; i < files->file_count; i++) {
        const char *path = files->files[i].path;
        ORIEL_TRY(oriel_csv_read_header(&result->runtime, path, &options->csv, &result->arena, out,
                                        error));
        if (!out->count)
            continue;
        options->csv.header_path = oriel_arena_copy(&result->arena, path, strlen(path));
        return options->csv.header_path ? ORIEL_OK : oriel_error_memory(error);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_scan_header_find(struct oriel_result *result,
                                         struct oriel_table_options *options,
                                         const char *const *columns, uint32_t column_count,
                                         struct oriel_csv_header *out, struct oriel_error *error) {
    *out = (struct oriel_csv_header){0};
    const bool may_have = options->is_replaced && !options->csv.header_given;
    if (options->format != ORIEL_TABLE_CSV || (!options->csv.header && !may_have))
        return ORIEL_OK;
    struct oriel_file_list files;
    struct oriel_error own = {0};
    enum oriel_status status =
        oriel_file_list_init(&files, &result->engine->memory, options->path, &own);
    if (status == ORIEL_OK) {
        status = read_first(result, options, &files, out, &own);
        oriel_file_list_deinit(&files);
    }
    if (status == ORIEL_MEMORY || (status != ORIEL_OK && options->csv.header)) {
        if (error)
            *error = own;
        return status;
    }
    if (options->csv.header)
        return ORIEL_OK;
    bool names_all = status == ORIEL_OK && out->count > 0;
    for (uint32_t i = 0; i < column_count && names_all; i++)
        names_all = !columns[i] || oriel_scan_header_place(out, columns[i]) >= 0;
    options->csv.header = names_all;
    if (!names_all) {
        options->csv.header_path = NULL;
        *out = (struct oriel_csv_header){0};
    }
    return ORIEL_OK;
}
