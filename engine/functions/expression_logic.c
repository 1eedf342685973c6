/*
 * Evaluation of one node: calls, three-valued AND and OR, CASE. Masks say for which rows a part is
 * evaluated, so that an error in a part that SQL does not reach never surfaces.
 */
#include "engine/functions/evaluator.h"
#include "engine/functions/rows.h"

/* Leaves out the words when no row is null, which lets whoever comes next take its short path. */
static struct oriel_column publish(const struct oriel_node *node, size_t row_count) {
    const struct oriel_node_buffer *buffer = node->buffer;
    struct oriel_column out = {.type = node->expression->type, .values = buffer->values};
    const size_t full = row_count / 64;
    uint64_t all = ~UINT64_C(0);
    for (size_t i = 0; i < full; i++)
        all &= buffer->valid[i];
    if (row_count % 64)
        all &= buffer->valid[full] | ~oriel_bits_low(row_count % 64);
    if (~all)
        out.valid = buffer->valid;
    return out;
}

void oriel_node_fill(struct oriel_node *node, size_t row_count) {
    const struct oriel_column *constant = &node->expression->constant;
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&node->expression->type));
    const bool is_null = oriel_column_is_null(constant, 0);
    for (size_t row = 0; row < row_count; row++)
        memcpy((char *)node->buffer->values + row * value_bytes, constant->values, value_bytes);
    if (is_null)
        memset(node->buffer->valid, 0, oriel_bits_word_count(row_count) * sizeof(uint64_t));
    node->column = (struct oriel_column){.type = node->expression->type,
                                         .values = node->buffer->values,
                                         .valid = is_null ? node->buffer->valid : NULL};
}

static enum oriel_status evaluate_call(struct oriel_node *node, const struct oriel_batch *batch,
                                       struct oriel_evaluation *evaluation,
                                       struct oriel_column *out) {
    const struct oriel_call *call = node->expression->call;
    const size_t row_count = batch->row_count;
    const size_t word_count = oriel_bits_word_count(row_count);
    const bool strict = call->function->flags & ORIEL_FUNCTION_STRICT;
    uint64_t *valid = node->buffer->valid;
    for (uint32_t i = 0; i < node->child_count; i++)
        ORIEL_TRY(oriel_node_evaluate(&node->children[i], batch, evaluation, &node->inputs[i]));
    memset(valid, 0xff, word_count * sizeof *valid);
    for (uint32_t i = 0; strict && i < node->child_count; i++) {
        if (call->constants && call->constants[i]) {
            if (oriel_column_is_null(call->constants[i], 0))
                memset(valid, 0, word_count * sizeof *valid);
        } else if (node->inputs[i].valid) {
            for (size_t word = 0; word < word_count; word++)
                valid[word] &= node->inputs[i].valid[word];
        }
    }
    struct oriel_column result = {
        .type = node->expression->type, .values = node->buffer->values, .valid = valid};
    evaluation->local = node->local;
    ORIEL_TRY(call->evaluate(call, evaluation, node->inputs, row_count, &result));
    *out = publish(node, row_count);
    return ORIEL_OK;
}

static bool any_row(const uint64_t *words, size_t row_count) {
    uint64_t any = 0;
    for (size_t i = 0; i < row_count / 64; i++)
        any |= words[i];
    if (row_count % 64)
        any |= words[row_count / 64] & oriel_bits_low(row_count % 64);
    return any != 0;
}

static void copy_active(const struct oriel_evaluation *evaluation, uint64_t *words,
                        size_t word_count) {
    if (evaluation->active)
        memcpy(words, evaluation->active, word_count * sizeof *words);
    else
        memset(words, 0xff, word_count * sizeof *words);
}

/*
 * AND: a row is decided once a part is false; OR: once a part is true. What is undecided at the end
 * is NULL if a part was, else the other value.
 */
static enum oriel_status evaluate_chain(struct oriel_node *node, const struct oriel_batch *batch,
                                        struct oriel_evaluation *evaluation,
                                        struct oriel_column *out) {
    const bool is_and = node->expression->kind == ORIEL_EXPRESSION_AND;
    const size_t word_count = oriel_bits_word_count(batch->row_count);
    const size_t mask_words = word_count;
    uint64_t *open = node->masks, *decided = open + mask_words, *unknown = decided + mask_words;
    const uint64_t *outer = evaluation->active;
    copy_active(evaluation, open, word_count);
    memset(decided, 0, word_count * sizeof *decided);
    memset(unknown, 0, word_count * sizeof *unknown);
    for (uint32_t i = 0; i < node->child_count && any_row(open, batch->row_count); i++) {
        struct oriel_column part;
        evaluation->active = open;
        const enum oriel_status status =
            oriel_node_evaluate(&node->children[i], batch, evaluation, &part);
        evaluation->active = outer;
        ORIEL_TRY(status);
        for (size_t word = 0; word < word_count; word++) {
            const uint64_t valid = part.valid ? part.valid[word] : ~UINT64_C(0);
            uint64_t value = oriel_bits_of_block((const uint8_t *)part.values + 64 * word);
            if (is_and)
                value = ~value;
            decided[word] |= value & valid & open[word];
            unknown[word] |= ~valid & open[word];
            open[word] &= ~decided[word];
        }
    }
    for (size_t word = 0; word < word_count; word++) {
        oriel_block_of_bits(is_and ? ~(decided[word] | unknown[word]) : decided[word],
                            (uint8_t *)node->buffer->values + 64 * word);
        node->buffer->valid[word] = decided[word] | ~unknown[word];
    }
    *out = publish(node, batch->row_count);
    return ORIEL_OK;
}

/* Copies the rows of `mask` from `from` to the node's buffer. */
static void blend(struct oriel_node *node, const struct oriel_column *from, const uint64_t *mask,
                  size_t row_count) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&node->expression->type));
    char *values = node->buffer->values;
    const char *source = from->values;
    for (size_t word = 0; word < oriel_bits_word_count(row_count); word++) {
        const size_t left = row_count - 64 * word;
        uint64_t bits = mask[word] & oriel_bits_low(left);
        const uint64_t valid = from->valid ? from->valid[word] : ~UINT64_C(0);
        node->buffer->valid[word] = (node->buffer->valid[word] & ~bits) | (valid & bits);
        if (bits == ~UINT64_C(0)) {
            memcpy(values + 64 * word * value_bytes, source + 64 * word * value_bytes,
                   64 * value_bytes);
            continue;
        }
        for (; bits; bits &= bits - 1) {
            const size_t at = (64 * word + (size_t)__builtin_ctzll(bits)) * value_bytes;
            memcpy(values + at, source + at, value_bytes);
        }
    }
}

static enum oriel_status evaluate_branch(struct oriel_node *node, uint32_t child,
                                         const struct oriel_batch *batch,
                                         struct oriel_evaluation *evaluation, const uint64_t *mask,
                                         struct oriel_column *out) {
    const uint64_t *outer = evaluation->active;
    evaluation->active = mask;
    const enum oriel_status status =
        oriel_node_evaluate(&node->children[child], batch, evaluation, out);
    evaluation->active = outer;
    return status;
}

static enum oriel_status evaluate_case(struct oriel_node *node, const struct oriel_batch *batch,
                                       struct oriel_evaluation *evaluation,
                                       struct oriel_column *out) {
    const size_t row_count = batch->row_count, word_count = oriel_bits_word_count(row_count);
    const uint32_t pairs = node->child_count / 2;
    uint64_t *open = node->masks, *taken = open + word_count;
    struct oriel_column part;
    copy_active(evaluation, open, word_count);
    memset(node->buffer->valid, 0, word_count * sizeof *node->buffer->valid);
    for (uint32_t i = 0; i < pairs && any_row(open, row_count); i++) {
        ORIEL_TRY(evaluate_branch(node, 2 * i, batch, evaluation, open, &part));
        for (size_t word = 0; word < word_count; word++) {
            const uint64_t valid = part.valid ? part.valid[word] : ~UINT64_C(0);
            taken[word] =
                open[word] & valid & oriel_bits_of_block((const uint8_t *)part.values + 64 * word);
            open[word] &= ~taken[word];
        }
        if (!any_row(taken, row_count))
            continue;
        ORIEL_TRY(evaluate_branch(node, 2 * i + 1, batch, evaluation, taken, &part));
        blend(node, &part, taken, row_count);
    }
    if (node->expression->has_else && any_row(open, row_count)) {
        ORIEL_TRY(evaluate_branch(node, node->child_count - 1, batch, evaluation, open, &part));
        blend(node, &part, open, row_count);
    }
    *out = publish(node, row_count);
    return ORIEL_OK;
}

enum oriel_status oriel_node_evaluate(struct oriel_node *node, const struct oriel_batch *batch,
                                      struct oriel_evaluation *evaluation,
                                      struct oriel_column *out) {
    switch (node->expression->kind) {
    case ORIEL_EXPRESSION_COLUMN: *out = batch->columns[node->expression->column]; return ORIEL_OK;
    case ORIEL_EXPRESSION_CONSTANT:
        if (!node->is_fixed)
            oriel_node_fill(node, batch->row_count);
        *out = node->column;
        return ORIEL_OK;
    case ORIEL_EXPRESSION_CALL: return evaluate_call(node, batch, evaluation, out);
    case ORIEL_EXPRESSION_AND:
    case ORIEL_EXPRESSION_OR: return evaluate_chain(node, batch, evaluation, out);
    case ORIEL_EXPRESSION_CASE: return evaluate_case(node, batch, evaluation, out);
    }
    return oriel_error_set(evaluation->error, ORIEL_INTERNAL, "an expression of unknown kind");
}
