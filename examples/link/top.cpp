// The two largest orders of each ten minutes, from C++: handles that close themselves, errors that
// throw, and strings out of borrowed batches.
#include <oriel/oriel.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

template <class Handle, void (*close)(Handle **)> struct Closer {
    void operator()(Handle *handle) const { close(&handle); }
};
using Engine = std::unique_ptr<oriel_engine, Closer<oriel_engine, oriel_engine_close>>;
using Script = std::unique_ptr<oriel_script, Closer<oriel_script, oriel_script_close>>;
using Result = std::unique_ptr<oriel_result, Closer<oriel_result, oriel_result_close>>;

oriel_status check(oriel_status status, const oriel_error &error) {
    if (status != ORIEL_OK && status != ORIEL_DONE)
        throw std::runtime_error(error.message);
    return status;
}

Engine open_engine() {
    oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    options.thread_count = 2;
    oriel_engine *engine = nullptr;
    oriel_error error{};
    check(oriel_engine_open(&options, &engine, &error), error);
    return Engine(engine);
}

std::string_view text(const oriel_result_values &column, std::size_t row) {
    const auto *value = static_cast<const oriel_string_value *>(column.values) + row;
    return {oriel_string_value_bytes(value), value->length};
}

void run(oriel_engine *engine, std::string_view sql) {
    oriel_error error{};
    oriel_script *script = nullptr;
    check(oriel_script_open(engine, sql.data(), sql.size(), "top", &script, &error), error);
    const Script closes_script(script);
    oriel_result *result = nullptr;
    while (check(oriel_script_next(script, &result, &error), error) == ORIEL_OK) {
        const Result closes_result(result);
        const oriel_result_batch *batch = nullptr;
        while (check(oriel_result_next(result, &batch, &error), error) == ORIEL_OK)
            for (std::size_t row = 0; row < batch->row_count; row++) {
                const std::string_view shop = text(batch->columns[0], row);
                std::printf("%.*s %d\n", static_cast<int>(shop.size()), shop.data(),
                            static_cast<const std::int32_t *>(batch->columns[1].values)[row]);
            }
    }
}

} // namespace

int main() try {
    const Engine engine = open_engine();
    oriel_error error{};
    check(oriel_engine_register_csv(engine.get(), "orders", "orders.csv",
                                    "id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),"
                                    "WATERMARK FOR ts AS ts",
                                    &error),
          error);
    run(engine.get(), "SELECT shop, amount FROM ("
                      "  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end"
                      "                               ORDER BY amount DESC) AS place"
                      "  FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE))"
                      "WHERE place <= 2");
    return 0;
} catch (const std::exception &failure) {
    std::fprintf(stderr, "top: %s\n", failure.what());
    return 1;
}
