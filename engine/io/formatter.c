/*
 * Decides, when a result is opened, how each of its columns will be written, and hands the work to
 * the format.
 */
#include "engine/io/formatter_internal.h"

#include "engine/io/display_width.h"

enum { TABLEAU_WIDTH_MIN = 6, TABLEAU_MAX_WIDTH_DEFAULT = 30 };

enum oriel_status oriel_format_piece_init(struct oriel_format_piece *piece,
                                          struct oriel_memory *memory, uint32_t column_count,
                                          struct oriel_error *error) {
    memset(piece, 0, sizeof *piece);
    oriel_text_buffer_init(&piece->text, memory);
    oriel_text_buffer_init(&piece->cell, memory);
    piece->column_count = column_count;
    piece->caches = oriel_memory_allocate_zeroed(memory, column_count, sizeof *piece->caches);
    return piece->caches ? ORIEL_OK : oriel_error_memory(error);
}

void oriel_format_piece_deinit(struct oriel_format_piece *piece) {
    struct oriel_memory *memory = piece->text.memory;
    oriel_text_buffer_deinit(&piece->text);
    oriel_text_buffer_deinit(&piece->cell);
    oriel_memory_release(memory, piece->caches, piece->column_count * sizeof *piece->caches);
    piece->caches = NULL;
}

void oriel_format_piece_clear(struct oriel_format_piece *piece) {
    piece->text.length = 0;
    piece->row_count = 0;
}

enum oriel_cell_kind oriel_cell_kind_of(const struct oriel_type *type) {
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN: return ORIEL_CELL_BOOLEAN;
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT:
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_BIGINT: return ORIEL_CELL_INTEGER;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        return type->precision <= 3 ? ORIEL_CELL_TIMESTAMP : ORIEL_CELL_TEXT;
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: return ORIEL_CELL_STRING;
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return ORIEL_CELL_BINARY;
    case ORIEL_TYPE_FLOAT:
    case ORIEL_TYPE_DOUBLE:
    case ORIEL_TYPE_DECIMAL: return ORIEL_CELL_NUMBER;
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW: return ORIEL_CELL_NESTED;
    default: return ORIEL_CELL_TEXT;
    }
}

static const struct oriel_formatter_operations *operations_of(enum oriel_format format) {
    switch (format) {
    case ORIEL_FORMAT_CSV: return &oriel_csv_format;
    case ORIEL_FORMAT_JSON: return &oriel_json_format;
    case ORIEL_FORMAT_MARKDOWN: return &oriel_markdown_format;
    default: return &oriel_tableau_format;
    }
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void fill_forms(struct oriel_formatter *formatter) {
    const size_t max_width = formatter->options.max_column_width;
    const bool fit = formatter->options.fit_content;
    const size_t null_bytes = strlen(formatter->options.csv.null_literal);
    for (uint32_t c = 0; c < formatter->schema.field_count; c++) {
        const struct oriel_field *field = &formatter->schema.fields[c];
        struct oriel_cell_form *form = &formatter->forms[c];
        form->kind = oriel_cell_kind_of(&field->type);
        form->physical = oriel_type_physical(&field->type);
        form->precision = field->type.precision;
        form->utc = field->type.id == ORIEL_TYPE_TIMESTAMP_LTZ;
        form->width = oriel_tableau_width(field->name, strlen(field->name));
        if (!fit)
            form->width = larger(larger(form->width, TABLEAU_WIDTH_MIN),
                                 oriel_tableau_type_width(&field->type, max_width));
        formatter->fixed_bytes += larger(ORIEL_CELL_FIXED_BYTES, null_bytes + 2);
    }
}

static void fill_quoted(struct oriel_formatter *formatter) {
    const struct oriel_csv_form *csv = &formatter->options.csv;
    const char bytes[] = {csv->delimiter, csv->quote, csv->escape, '\n', '\r'};
    for (size_t i = 0; i < sizeof bytes; i++) {
        if (bytes[i])
            formatter->quoted[(unsigned char)bytes[i]] = true;
    }
    formatter->plain_numbers = true;
    for (const char *byte = "0123456789+-.: ENZaefilnrstuyI"; *byte; byte++) {
        if (formatter->quoted[(unsigned char)*byte])
            formatter->plain_numbers = false;
    }
    /* Jackson quotes whatever has a byte up to the highest of its own characters. */
    int safe = csv->delimiter > csv->quote ? csv->delimiter : csv->quote;
    if (csv->escape > safe)
        safe = csv->escape;
    for (int byte = 0; csv->as_flink && byte <= safe; byte++)
        formatter->quoted[byte] = true;
}

enum oriel_status oriel_formatter_open(struct oriel_memory *memory, struct oriel_schema schema,
                                       const struct oriel_formatter_options *options,
                                       struct oriel_formatter **out, struct oriel_error *error) {
    *out = NULL;
    struct oriel_formatter *formatter = oriel_memory_allocate_zeroed(memory, 1, sizeof *formatter);
    if (!formatter)
        return oriel_error_memory(error);
    formatter->memory = memory;
    formatter->operations =
        options->print_identifier ? &oriel_print_format : operations_of(options->format);
    formatter->schema = schema;
    formatter->options = *options;
    formatter->fixed_bytes = 2;
    if (!formatter->options.csv.null_literal)
        formatter->options.csv.null_literal = "";
    if (!formatter->options.max_column_width)
        formatter->options.max_column_width = TABLEAU_MAX_WIDTH_DEFAULT;
    formatter->forms =
        oriel_memory_allocate_zeroed(memory, schema.field_count, sizeof *formatter->forms);
    if (!formatter->forms) {
        oriel_formatter_close(&formatter);
        return oriel_error_memory(error);
    }
    fill_forms(formatter);
    fill_quoted(formatter);
    *out = formatter;
    return ORIEL_OK;
}

void oriel_formatter_close(struct oriel_formatter **formatter) {
    struct oriel_formatter *it = *formatter;
    if (!it)
        return;
    oriel_memory_release(it->memory, it->forms, it->schema.field_count * sizeof *it->forms);
    oriel_memory_release(it->memory, it, sizeof *it);
    *formatter = NULL;
}

enum oriel_status oriel_formatter_measure(struct oriel_formatter *formatter,
                                          const struct oriel_batch *batch,
                                          struct oriel_error *error) {
    if (!formatter->options.fit_content)
        return ORIEL_OK;
    struct oriel_text_buffer cell;
    oriel_text_buffer_init(&cell, formatter->memory);
    enum oriel_status status = ORIEL_OK;
    for (uint32_t c = 0; c < batch->column_count && status == ORIEL_OK; c++) {
        const struct oriel_column *column = &batch->columns[c];
        struct oriel_cell_form *form = &formatter->forms[c];
        for (size_t row = 0; row < batch->row_count && status == ORIEL_OK; row++) {
            if (oriel_column_is_null(column, row))
                continue;
            cell.length = 0;
            status = oriel_value_print(&cell, column, row, formatter->options.zone);
            if (status == ORIEL_OK)
                form->width = larger(form->width, oriel_tableau_width(cell.bytes, cell.length));
        }
    }
    oriel_text_buffer_deinit(&cell);
    return status == ORIEL_OK ? ORIEL_OK : oriel_error_memory(error);
}

/* Formats only fail for want of memory. */
static enum oriel_status checked(enum oriel_status status, struct oriel_error *error) {
    return status == ORIEL_OK ? ORIEL_OK : oriel_error_memory(error);
}

bool oriel_formatter_is_tableau(const struct oriel_formatter *formatter) {
    return formatter->operations == &oriel_tableau_format;
}

enum oriel_status oriel_formatter_begin(const struct oriel_formatter *formatter,
                                        struct oriel_format_piece *piece,
                                        struct oriel_error *error) {
    return checked(formatter->operations->begin(formatter, piece), error);
}

enum oriel_status oriel_formatter_rows(const struct oriel_formatter *formatter,
                                       struct oriel_format_piece *piece,
                                       const struct oriel_batch *batch, struct oriel_error *error) {
    ORIEL_TRY(checked(formatter->operations->rows(formatter, piece, batch), error));
    piece->row_count += batch->row_count;
    return ORIEL_OK;
}

enum oriel_status oriel_formatter_end(const struct oriel_formatter *formatter,
                                      struct oriel_format_piece *piece, uint64_t row_count,
                                      struct oriel_error *error) {
    return checked(formatter->operations->end(formatter, piece, row_count), error);
}

static bool is_control(const char *bytes, size_t length) {
    const unsigned char byte = (unsigned char)bytes[0];
    if (byte < 0x20)
        return byte != '\n' && byte != '\t';
    return byte == 0x7f || (byte == 0xc2 && length > 1 && (unsigned char)bytes[1] < 0xa0);
}

enum oriel_status oriel_format_escape_controls(struct oriel_format_piece *piece,
                                               struct oriel_error *error) {
    struct oriel_text_buffer *text = &piece->text;
    size_t plain = 0;
    while (plain < text->length && !is_control(text->bytes + plain, text->length - plain))
        plain++;
    if (plain == text->length)
        return ORIEL_OK;
    struct oriel_text_buffer *out = &piece->cell;
    out->length = 0;
    for (size_t i = 0; i < text->length; i++) {
        const bool control = is_control(text->bytes + i, text->length - i);
        char shown[4] = {text->bytes[i], 0, 0, 0};
        if (control) {
            const unsigned char byte = (unsigned char)text->bytes[shown[0] == '\xc2' ? ++i : i];
            shown[0] = '\\';
            shown[1] = 'x';
            shown[2] = "0123456789abcdef"[byte >> 4];
            shown[3] = "0123456789abcdef"[byte & 15];
        }
        ORIEL_TRY(checked(oriel_text_buffer_append(out, shown, control ? 4 : 1), error));
    }
    const struct oriel_text_buffer swapped = *text;
    *text = *out;
    *out = swapped;
    return ORIEL_OK;
}
