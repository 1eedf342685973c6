/*
 * Tables, views and settings of a session.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/columns/batch.h"
#include "engine/functions/expression.h"
#include "engine/sql/ast.h"

enum oriel_table_kind {
    ORIEL_TABLE_FILE,   /* CREATE TABLE over a connector */
    ORIEL_TABLE_STREAM, /* registered by the program: an ArrowArrayStream */
    ORIEL_TABLE_VIEW,
};

struct oriel_option {
    const char *key;
    const char *value;
    struct oriel_position position; /* of the value, in the CREATE TABLE */
};

/* A statement as it was written, to be parsed again. */
struct oriel_statement_text {
    const char *text;
    struct oriel_position position;
};

/* A database of a catalog; lives as long as the session, also when it was dropped. */
struct oriel_database {
    struct oriel_database *next; /* in order of catalog and name */
    const char *catalog;
    const char *name;
    size_t block_bytes;
    bool is_dropped;
};

/* A table of the catalog; lies in an arena of its own, which DROP frees. */
struct oriel_table_entry {
    enum oriel_table_kind kind;
    const char *name;
    const struct oriel_database *database; /* NULL: of no catalog, as FROM 'path' */
    const struct oriel_database *made_in;  /* that was in use then; names of a view begin there */
    struct oriel_schema schema;            /* all columns as declared, computed ones too */
    const struct ast_column_definition *const
        *definitions;        /* of field i; NULL for streams, views */
    uint32_t physical_count; /* columns that the file has, in its order: fields with PHYSICAL */
    int32_t rowtime;         /* field with the watermark, or -1 */
    const struct ast_watermark *watermark;
    uint32_t primary_key_count;
    const uint32_t *primary_key;
    uint32_t option_count;
    const struct oriel_option *options;
    const struct ast_statement *statement; /* CREATE TABLE or CREATE VIEW; NULL for streams */
    const struct ast_query *query;         /* of a view */
    uint32_t text_count;                   /* the statements that made it: those of LIKE first */
    const struct oriel_statement_text *texts;
    void *stream; /* STREAM: what the api registered */
    bool temporary;
    struct oriel_arena arena;
    struct oriel_table_entry *next;
};
