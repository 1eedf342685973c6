/*
 * Inside engine/plan: making the entries of the catalog.
 */
#pragma once

#include "engine/plan/bind.h"

/* An empty entry with its own arena; NULL without memory. */
struct oriel_table_entry *oriel_table_entry_make(struct oriel_memory *memory);
void oriel_table_entry_free(struct oriel_memory *memory, struct oriel_table_entry *entry);

/* Copies a schema, names and nested types too. */
enum oriel_status oriel_table_copy_schema(struct oriel_arena *arena, struct oriel_schema schema,
                                          struct oriel_schema *out, struct oriel_error *error);

/* Parses the statement again into the arena of the entry, with positions as in the script; a CREATE
 * TABLE ... LIKE `base` becomes the one that it stands for, one ... AS query likewise with the
 * columns of the query for `base`. `base` is NULL without these. */
enum oriel_status oriel_table_adopt(struct oriel_table_entry *entry,
                                    const struct ast_statement *statement,
                                    const struct oriel_table_entry *base,
                                    struct oriel_error *error);

/* create_like.c: puts what `base` has and the LIKE clause of `table` takes over into `table`. */
enum oriel_status oriel_table_merge_like(struct oriel_arena *arena,
                                         const struct ast_statement *base,
                                         struct ast_statement *table, struct oriel_error *error);

/* create_as.c: binds the query of a CREATE TABLE ... AS, and gives its columns, each with a name of
 * its own, and a CREATE TABLE that declares them. Both lie in the arena of `b`. */
enum oriel_status oriel_table_print_query(struct binder *b, const struct ast_statement *statement,
                                          struct oriel_schema *columns,
                                          struct oriel_statement_text *out);

/* Puts the columns that `query` declares into `table`: behind those that only it has, with its
 * types; or in the order of its list of names. `table` is a plain CREATE TABLE then. */
enum oriel_status oriel_table_merge_query(struct oriel_arena *arena,
                                          const struct ast_statement *query,
                                          struct ast_statement *table, struct oriel_error *error);

/* Whether the columns of the query can be written into the table that was made of them. */
enum oriel_status oriel_table_check_query(struct binder *b, const struct oriel_table_entry *entry,
                                          struct oriel_schema columns);

/* alter_table.c: makes the change of an ALTER statement in the tree of the table or view. */
enum oriel_status oriel_table_merge_alter(struct oriel_arena *arena,
                                          const struct ast_statement *alter,
                                          struct ast_statement *table, struct oriel_error *error);

/* Fills an adopted entry from its CREATE TABLE; `b` binds computed columns and the watermark. */
enum oriel_status oriel_table_define(struct binder *b, struct oriel_table_entry *entry);

/* The same from a CREATE VIEW: binds the query and keeps the columns it gives. */
enum oriel_status oriel_view_define(struct binder *b, struct oriel_table_entry *entry);

/* Takes the columns of a table that declares none from its file. */
enum oriel_status oriel_table_infer(struct binder *b, struct oriel_table_entry *entry,
                                    struct oriel_arena *arena, struct oriel_position position);

/* The table of FROM 'path', in the statement arena. */
enum oriel_status oriel_table_of_path(struct binder *b, const struct ast_from *from,
                                      const struct oriel_table_entry **out);

/* Whether the column is a property of the file, as file.path; *type is then the type it comes in,
 * which the declared one is cast from. */
bool oriel_table_is_file_property(const struct oriel_table_entry *entry, uint32_t field,
                                  struct oriel_type *type);

bool oriel_table_is_computed(const struct oriel_table_entry *entry, uint32_t field);
