/*
 * The lines below a node of EXPLAIN that the plan alone does not know: which files a scan reads,
 * and, after a run, what each operator did.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/api/explain.h"
#include "engine/api/scan.h"
#include "engine/io/file_list.h"

enum { LINE_BYTES = 512 };

enum oriel_status oriel_explain_add(struct oriel_text_buffer *out, const char *format, ...) {
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return ORIEL_OK;
    return oriel_text_buffer_append(
        out, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

enum oriel_status oriel_explain_add_text(struct oriel_text_buffer *out, const char *text) {
    return oriel_text_buffer_append(out, text, strlen(text));
}

const char *oriel_explain_size(uint64_t byte_count, char *out) {
    static const struct {
        uint64_t bytes;
        const char *name;
    } units[] = {{1000000000, "GB"}, {1000000, "MB"}, {1000, "kB"}};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (byte_count >= units[u].bytes) {
            const uint64_t tenths = byte_count / (units[u].bytes / 10);
            snprintf(out, ORIEL_SIZE_TEXT_BYTES, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10,
                     tenths % 10, units[u].name);
            return out;
        }
    }
    snprintf(out, ORIEL_SIZE_TEXT_BYTES, "%" PRIu64 " B", byte_count);
    return out;
}

/* What is read for a SCAN: itself, or the SCAN of all that share; NULL for those after the first.
 */
static const struct oriel_plan *scan_read(const struct oriel_plan *scan) {
    const struct oriel_shared_scan *shared = scan->scan.shared;
    return !shared ? scan : shared->first_reader == scan ? shared->scan : NULL;
}

static enum oriel_status print_scan(struct oriel_explain *explain, const struct oriel_plan *scan,
                                    struct oriel_text_buffer *out) {
    const struct oriel_table_entry *table = scan->scan.table;
    struct oriel_scan_options options;
    struct oriel_error ignored = {0};
    if (table->kind == ORIEL_TABLE_STREAM)
        return oriel_explain_add(out, "- scan stream: %u of %u columns", scan->schema.field_count,
                                 table->schema.field_count);
    ORIEL_TRY(oriel_scan_read_options(explain->result, scan, &options, &ignored));
    ORIEL_TRY(oriel_explain_add(out, "- scan %s: %s, ",
                                oriel_table_format_name(options.table.format), options.table.path));
    struct oriel_file_list list;
    const enum oriel_status status =
        oriel_scan_files_list(explain->result, scan, &options, &list, &ignored);
    if (status == ORIEL_MEMORY)
        return status;
    if (status == ORIEL_OK) {
        char size[ORIEL_SIZE_TEXT_BYTES];
        const enum oriel_status added = oriel_explain_add(
            out, "%zu file%s, %s, ", list.file_count, list.file_count == 1 ? "" : "s",
            oriel_explain_size(list.total_bytes, size));
        oriel_file_list_deinit(&list);
        ORIEL_TRY(added);
    }
    ORIEL_TRY(oriel_explain_add(out, "%u of %u columns", scan->schema.field_count,
                                table->schema.field_count));
    const bool is_columnar =
        options.table.format == ORIEL_TABLE_PARQUET || options.table.format == ORIEL_TABLE_ARROW;
    if (is_columnar && options.bounds.field >= 0)
        return oriel_explain_add(out, ", only row groups that may hold wanted times");
    return ORIEL_OK;
}

static uint64_t rows_in(const struct oriel_explain *explain, const struct oriel_plan *node) {
    uint64_t count = 0;
    struct oriel_operator_figures figures;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (oriel_profile_figures(explain->profile, node->inputs[i], false, &figures))
            count += figures.row_count;
    }
    return count;
}

/* Time and memory. */
static enum oriel_status print_cost(const struct oriel_explain *explain,
                                    const struct oriel_operator_figures *figures,
                                    struct oriel_text_buffer *out) {
    char size[ORIEL_SIZE_TEXT_BYTES];
    const uint64_t total_ns = oriel_profile_cpu_ns(explain->profile);
    ORIEL_TRY(oriel_explain_add(out, "; CPU %.3f ms, %.1f %%; peak memory %s",
                                (double)figures->cpu_ns / 1e6,
                                total_ns ? 100.0 * (double)figures->cpu_ns / (double)total_ns : 0.0,
                                oriel_explain_size(figures->peak_bytes, size)));
    if (!figures->spilled_bytes)
        return ORIEL_OK;
    return oriel_explain_add(out, "; %s spilled", oriel_explain_size(figures->spilled_bytes, size));
}

static enum oriel_status print_figures(const struct oriel_explain *explain,
                                       const struct oriel_plan *node,
                                       const struct oriel_operator_figures *figures,
                                       struct oriel_text_buffer *out) {
    char size[ORIEL_SIZE_TEXT_BYTES];
    ORIEL_TRY(oriel_explain_add(out, "= rows "));
    if (node->input_count)
        ORIEL_TRY(oriel_explain_add(out, "%" PRIu64 " in, ", rows_in(explain, node)));
    ORIEL_TRY(oriel_explain_add(out, "%" PRIu64 " out", figures->row_count));
    struct oriel_operator_figures read = *figures;
    if (node->kind == ORIEL_PLAN_SCAN) {
        const struct oriel_plan *scan = scan_read(node);
        if (!scan)
            return ORIEL_OK;
        oriel_profile_figures(explain->profile, scan, false, &read);
        ORIEL_TRY(oriel_explain_add(out, "; %s in %" PRIu64 " chunk%s",
                                    oriel_explain_size(read.byte_count, size), read.chunk_count,
                                    read.chunk_count == 1 ? "" : "s"));
    }
    return print_cost(explain, &read, out);
}

enum oriel_status oriel_explain_node(void *context, const struct oriel_plan *node, uint32_t line,
                                     struct oriel_text_buffer *out, bool *printed) {
    struct oriel_explain *explain = context;
    struct oriel_operator_figures figures;
    *printed = true;
    if (node->kind == ORIEL_PLAN_SCAN) {
        const struct oriel_plan *read = scan_read(node);
        if (line == 0 && !read)
            return oriel_explain_add(out, "- scan: rows of the first scan of %s",
                                     node->scan.table->name);
        if (line == 0)
            return print_scan(explain, read, out);
        const bool is_first = node->scan.shared && read;
        if (line == 1 && is_first)
            return oriel_explain_add(out, "- scan: read once for %u scans",
                                     node->scan.shared->reader_count);
        line -= is_first ? 2 : 1;
    }
    if (explain->profile && oriel_profile_figures(explain->profile, node, false, &figures)) {
        if (line == 0 && figures.report[0])
            return oriel_explain_add(out, "= %s", figures.report);
        if (line == (figures.report[0] ? 1U : 0U))
            return print_figures(explain, node, &figures, out);
    }
    *printed = false;
    return ORIEL_OK;
}

static enum oriel_status print_target(const struct oriel_insert *insert,
                                      struct oriel_text_buffer *out) {
    const struct oriel_table_options *options = &insert->options;
    switch (options->kind) {
    case ORIEL_CONNECTOR_PRINT: return oriel_explain_add(out, "print\n");
    case ORIEL_CONNECTOR_BLACKHOLE: return oriel_explain_add(out, "blackhole\n");
    case ORIEL_CONNECTOR_FILES: break;
    }
    return oriel_explain_add(out, "%s: %s %s\n", oriel_table_format_name(options->format),
                             insert->folder ? "a file more in" : "the file",
                             insert->folder ? insert->folder : insert->path);
}

enum oriel_status oriel_explain_insert(const struct oriel_explain *explain,
                                       const struct oriel_insert *insert,
                                       struct oriel_text_buffer *out) {
    ORIEL_TRY(oriel_explain_add(out, "Insert: %s [", insert->table->name));
    for (uint32_t i = 0; i < insert->sink.field_count; i++)
        ORIEL_TRY(oriel_explain_add(out, "%s%s", i ? ", " : "", insert->sink.fields[i].name));
    ORIEL_TRY(oriel_explain_add(out, "]\n  - write "));
    ORIEL_TRY(print_target(insert, out));
    struct oriel_operator_figures rows, own;
    if (!explain->profile || !oriel_profile_figures(explain->profile, insert->plan, false, &rows) ||
        !oriel_profile_figures(explain->profile, insert->plan, true, &own))
        return ORIEL_OK;
    ORIEL_TRY(oriel_explain_add(out, "  = rows %" PRIu64 " in", rows.row_count));
    ORIEL_TRY(print_cost(explain, &own, out));
    return oriel_explain_add(out, "\n");
}
