#include <oriel/oriel.h>
#include <stdio.h>
#include <string.h>

static const char sql[] =
    "CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),"
    "  WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem',"
    "  'path' = 'orders.csv', 'format' = 'csv');"
    "SELECT window_start, SUM(amount) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts),"
    "  INTERVAL '10' MINUTE) GROUP BY window_start, window_end;";

int main(void) {
    struct oriel_engine *engine = NULL;
    struct oriel_script *script = NULL;
    struct oriel_result *result = NULL;
    const struct oriel_result_batch *batch;
    struct oriel_error error = {0};
    enum oriel_status status = oriel_engine_open(NULL, &engine, &error);
    if (status == ORIEL_OK)
        status = oriel_script_open(engine, sql, strlen(sql), "example", &script, &error);
    while (status == ORIEL_OK &&
           (status = oriel_script_next(script, &result, &error)) == ORIEL_OK) {
        while ((status = oriel_result_next(result, &batch, &error)) == ORIEL_OK)
            for (size_t i = 0; i < batch->row_count; i++)
                printf("%lld %d\n",
                       (long long)((const int64_t *)batch->columns[0].values)[i],
                       (int)((const int32_t *)batch->columns[1].values)[i]);
        oriel_result_close(&result);
        status = status == ORIEL_DONE ? ORIEL_OK : status;
    }
    if (status != ORIEL_DONE)
        fprintf(stderr, "%s:%u: %s\n", error.source, error.line, error.message);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
    return status == ORIEL_DONE ? 0 : 1;
}
