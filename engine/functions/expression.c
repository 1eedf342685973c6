/*
 * The evaluator: a tree of nodes, one for each node of the expressions, evaluated over one batch at
 * a time. Buffers are given out when it opens, as registers are: a node's buffer is free again once
 * its parent is done, so a deep tree stays in the cache. AND, OR and CASE narrow the rows that
 * their later parts are evaluated for; expression_logic.c has them.
 */
#include "engine/functions/evaluator.h"

#include "engine/base/assertion.h"

enum {
    SIZE_CLASSES = 5,
    FIXED_BUFFERS = 64 /* constants that get a buffer of their own, filled once */
};

struct oriel_evaluator {
    struct oriel_runtime runtime;
    struct oriel_arena arena; /* nodes */
    struct oriel_arena batch_arena;
    size_t capacity; /* rows, a multiple of 64 */
    struct oriel_node *nodes;
    uint32_t expression_count;
    struct oriel_column *results;
    struct oriel_node_buffer *buffers;            /* all of them */
    struct oriel_node_buffer *free[SIZE_CLASSES]; /* by size of a value, while opening */
    uint32_t fixed_count;                         /* buffers of constants */
    struct oriel_node *with_local;                /* nodes whose function has local state */
};

/* A buffer that no other node has. */
static enum oriel_status make_buffer(struct oriel_evaluator *evaluator,
                                     const struct oriel_type *type, struct oriel_node_buffer **out,
                                     struct oriel_error *error) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(type));
    struct oriel_node_buffer *buffer =
        oriel_arena_allocate_zeroed(&evaluator->arena, 1, sizeof *buffer);
    if (!buffer)
        return oriel_error_memory(error);
    const size_t values_bytes = evaluator->capacity * value_bytes + ORIEL_BUFFER_PADDING;
    const size_t words_bytes = evaluator->capacity / 8;
    buffer->size_bytes = (values_bytes + 63) / 64 * 64 + words_bytes;
    buffer->values = oriel_memory_allocate_zeroed(evaluator->runtime.memory, 1, buffer->size_bytes);
    if (!buffer->values)
        return oriel_error_memory(error);
    buffer->valid = (uint64_t *)(void *)((char *)buffer->values + (values_bytes + 63) / 64 * 64);
    buffer->size_class = (unsigned)__builtin_ctzll(value_bytes);
    ORIEL_ASSERT(buffer->size_class < SIZE_CLASSES);
    buffer->next = evaluator->buffers;
    evaluator->buffers = buffer;
    *out = buffer;
    return ORIEL_OK;
}

static enum oriel_status take_buffer(struct oriel_evaluator *evaluator,
                                     const struct oriel_type *type, struct oriel_node_buffer **out,
                                     struct oriel_error *error) {
    const unsigned class =
        (unsigned)__builtin_ctzll(oriel_physical_size(oriel_type_physical(type)));
    struct oriel_node_buffer *buffer = evaluator->free[class];
    if (!buffer)
        return make_buffer(evaluator, type, out, error);
    evaluator->free[class] = buffer->next_free;
    *out = buffer;
    return ORIEL_OK;
}

static void give_buffer(struct oriel_evaluator *evaluator, struct oriel_node *node) {
    struct oriel_node_buffer *buffer = node->buffer;
    if (!buffer || node->is_fixed)
        return;
    buffer->next_free = evaluator->free[buffer->size_class];
    evaluator->free[buffer->size_class] = buffer;
}

/* A buffer that no other node writes to is filled here once and for all. There may be 100,000
 * constants, in an AND of as many parts: those after the first share buffers and are filled for
 * every batch. */
static enum oriel_status build_constant(struct oriel_evaluator *evaluator, struct oriel_node *node,
                                        struct oriel_error *error) {
    node->is_fixed = evaluator->fixed_count < FIXED_BUFFERS;
    if (!node->is_fixed)
        return take_buffer(evaluator, &node->expression->type, &node->buffer, error);
    evaluator->fixed_count++;
    ORIEL_TRY(make_buffer(evaluator, &node->expression->type, &node->buffer, error));
    oriel_node_fill(node, evaluator->capacity);
    return ORIEL_OK;
}

static bool stays_one_row(const struct oriel_expression *parent, uint32_t argument) {
    return parent->kind == ORIEL_EXPRESSION_CALL &&
           (parent->call->function->flags & ORIEL_FUNCTION_UNEXPANDED) && parent->call->constants &&
           parent->call->constants[argument] &&
           parent->arguments[argument]->kind == ORIEL_EXPRESSION_CONSTANT;
}

static enum oriel_status build(struct oriel_evaluator *evaluator, struct oriel_node *node,
                               const struct oriel_expression *expression,
                               struct oriel_error *error);

/* AND, OR and CASE use up an argument at once, so all arguments share buffers; a CASE fills its own
 * buffer meanwhile. */
static enum oriel_status build_branching(struct oriel_evaluator *evaluator, struct oriel_node *node,
                                         struct oriel_error *error) {
    const struct oriel_expression *expression = node->expression;
    ORIEL_TRY(take_buffer(evaluator, &expression->type, &node->buffer, error));
    node->masks =
        oriel_arena_allocate_zeroed(&evaluator->arena, ORIEL_NODE_MASKS, evaluator->capacity / 8);
    if (!node->masks)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < node->child_count; i++) {
        ORIEL_TRY(build(evaluator, &node->children[i], expression->arguments[i], error));
        give_buffer(evaluator, &node->children[i]);
    }
    return ORIEL_OK;
}

static enum oriel_status build_call(struct oriel_evaluator *evaluator, struct oriel_node *node,
                                    struct oriel_error *error) {
    const struct oriel_expression *expression = node->expression;
    const struct oriel_function *function = expression->call->function;
    node->inputs =
        oriel_arena_allocate_zeroed(&evaluator->arena, node->child_count + 1, sizeof *node->inputs);
    if (!node->inputs)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (stays_one_row(expression, i)) {
            node->children[i].expression = expression->arguments[i];
            node->children[i].column = expression->arguments[i]->constant;
            node->children[i].is_fixed = true;
        } else {
            ORIEL_TRY(build(evaluator, &node->children[i], expression->arguments[i], error));
        }
    }
    ORIEL_TRY(take_buffer(evaluator, &expression->type, &node->buffer, error));
    for (uint32_t i = 0; i < node->child_count; i++)
        give_buffer(evaluator, &node->children[i]);
    if (function->local) {
        ORIEL_TRY(
            function->local->open(expression->call, &evaluator->runtime, &node->local, error));
        node->next_with_local = evaluator->with_local;
        evaluator->with_local = node;
    }
    return ORIEL_OK;
}

static enum oriel_status build(struct oriel_evaluator *evaluator, struct oriel_node *node,
                               const struct oriel_expression *expression,
                               struct oriel_error *error) {
    node->expression = expression;
    if (expression->kind == ORIEL_EXPRESSION_COLUMN)
        return ORIEL_OK;
    if (expression->kind == ORIEL_EXPRESSION_CONSTANT)
        return build_constant(evaluator, node, error);
    node->child_count = expression->argument_count;
    node->children = oriel_arena_allocate_zeroed(&evaluator->arena, node->child_count + 1,
                                                 sizeof *node->children);
    if (!node->children)
        return oriel_error_memory(error);
    if (expression->kind == ORIEL_EXPRESSION_CALL)
        return build_call(evaluator, node, error);
    return build_branching(evaluator, node, error);
}

enum oriel_status oriel_evaluator_open(const struct oriel_runtime *runtime,
                                       struct oriel_expression *const *expressions,
                                       uint32_t expression_count, struct oriel_evaluator **out,
                                       struct oriel_error *error) {
    *out = NULL;
    struct oriel_evaluator *evaluator =
        oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *evaluator);
    if (!evaluator)
        return oriel_error_memory(error);
    evaluator->runtime = *runtime;
    evaluator->capacity = (runtime->batch_rows + 63) / 64 * 64;
    evaluator->expression_count = expression_count;
    oriel_arena_init(&evaluator->arena, runtime->memory);
    oriel_arena_init(&evaluator->batch_arena, runtime->memory);
    evaluator->nodes = oriel_arena_allocate_zeroed(&evaluator->arena, expression_count + 1,
                                                   sizeof *evaluator->nodes);
    evaluator->results = oriel_arena_allocate_zeroed(&evaluator->arena, expression_count + 1,
                                                     sizeof *evaluator->results);
    enum oriel_status status = ORIEL_OK;
    if (!evaluator->nodes || !evaluator->results)
        status = oriel_error_memory(error);
    for (uint32_t i = 0; status == ORIEL_OK && i < expression_count; i++)
        status = build(evaluator, &evaluator->nodes[i], expressions[i], error);
    if (status != ORIEL_OK)
        oriel_evaluator_close(&evaluator);
    *out = evaluator;
    return status;
}

void oriel_evaluator_close(struct oriel_evaluator **evaluator_pointer) {
    struct oriel_evaluator *evaluator = *evaluator_pointer;
    if (!evaluator)
        return;
    struct oriel_memory *memory = evaluator->runtime.memory;
    for (struct oriel_node *node = evaluator->with_local; node; node = node->next_with_local) {
        const struct oriel_call *call = node->expression->call;
        call->function->local->close(call, &evaluator->runtime, node->local);
    }
    for (struct oriel_node_buffer *buffer = evaluator->buffers; buffer; buffer = buffer->next)
        oriel_memory_release(memory, buffer->values, buffer->size_bytes);
    oriel_arena_deinit(&evaluator->batch_arena);
    oriel_arena_deinit(&evaluator->arena);
    oriel_memory_release(memory, evaluator, sizeof *evaluator);
    *evaluator_pointer = NULL;
}

enum oriel_status oriel_evaluator_run(struct oriel_evaluator *evaluator,
                                      const struct oriel_batch *batch,
                                      const struct oriel_column **columns,
                                      struct oriel_error *error) {
    ORIEL_ASSERT(batch->row_count <= evaluator->capacity);
    oriel_arena_reset(&evaluator->batch_arena);
    struct oriel_evaluation evaluation = {.runtime = &evaluator->runtime,
                                          .batch_arena = &evaluator->batch_arena,
                                          .first_row = batch->first_row,
                                          .error = error};
    for (uint32_t i = 0; i < evaluator->expression_count; i++)
        ORIEL_TRY(
            oriel_node_evaluate(&evaluator->nodes[i], batch, &evaluation, &evaluator->results[i]));
    *columns = evaluator->results;
    return ORIEL_OK;
}
