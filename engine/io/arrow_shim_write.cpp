// The writing half of the module oriel_arrow.so. Batches of a query are small, so some are gathered
// before they are encoded.
#include "engine/io/arrow_shim.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <arrow/c/bridge.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

namespace oriel_arrow {
namespace {

constexpr int64_t kGatheredRows = 65536;

// Arrow's output as calls of the engine.
class CallbackStream : public arrow::io::OutputStream {
  public:
    explicit CallbackStream(const oriel_arrow_write_options &options)
        : write_(options.write), context_(options.write_context) {
    }

    arrow::Status Close() override {
        closed_ = true;
        return arrow::Status::OK();
    }
    bool closed() const override {
        return closed_;
    }
    arrow::Result<int64_t> Tell() const override {
        return position_;
    }
    arrow::Status Write(const void *bytes, int64_t length) override {
        if (length > 0 && write_(context_, bytes, static_cast<size_t>(length)))
            failed_ = true;
        if (failed_)
            return arrow::Status::IOError("writing failed");
        position_ += length;
        return arrow::Status::OK();
    }
    bool failed() const {
        return failed_;
    }
    void Stop() {
        failed_ = true;
    }

  private:
    int (*write_)(void *, const void *, size_t);
    void *context_;
    int64_t position_ = 0;
    bool closed_ = false;
    bool failed_ = false;
};

} // namespace
} // namespace oriel_arrow

struct oriel_arrow_writer {
    explicit oriel_arrow_writer(const oriel_arrow_account &account) : pool(account) {
    }

    oriel_arrow::AccountedPool pool;
    int64_t gather_rows = oriel_arrow::kGatheredRows;
    std::shared_ptr<arrow::Schema> schema;
    std::shared_ptr<oriel_arrow::CallbackStream> output;
    std::unique_ptr<parquet::arrow::FileWriter> parquet;
    std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc;
    std::vector<std::shared_ptr<arrow::RecordBatch>> gathered;
    int64_t gathered_rows = 0;
};

namespace oriel_arrow {
namespace {

arrow::Compression::type CompressionOf(oriel_arrow_compression compression, bool is_parquet) {
    switch (compression) {
    case ORIEL_ARROW_SNAPPY: return arrow::Compression::SNAPPY;
    case ORIEL_ARROW_GZIP: return arrow::Compression::GZIP;
    case ORIEL_ARROW_ZSTD: return arrow::Compression::ZSTD;
    case ORIEL_ARROW_LZ4:
        return is_parquet ? arrow::Compression::LZ4 : arrow::Compression::LZ4_FRAME;
    default: return arrow::Compression::UNCOMPRESSED;
    }
}

arrow::Status OpenParquet(oriel_arrow_writer *writer, const oriel_arrow_write_options &options) {
    auto properties = parquet::WriterProperties::Builder()
                          .memory_pool(&writer->pool)
                          ->compression(CompressionOf(options.compression, true))
                          ->max_row_group_length(options.group_rows)
                          ->created_by("oriel")
                          ->build();
    auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ARROW_ASSIGN_OR_RAISE(writer->parquet, parquet::arrow::FileWriter::Open(
                                               *writer->schema, &writer->pool, writer->output,
                                               properties, arrow_properties));
    return arrow::Status::OK();
}

arrow::Status OpenIpc(oriel_arrow_writer *writer, const oriel_arrow_write_options &options) {
    arrow::ipc::IpcWriteOptions ipc = arrow::ipc::IpcWriteOptions::Defaults();
    ipc.memory_pool = &writer->pool;
    ipc.use_threads = false;
    const auto compression = CompressionOf(options.compression, false);
    if (compression != arrow::Compression::UNCOMPRESSED) {
        ARROW_ASSIGN_OR_RAISE(ipc.codec, arrow::util::Codec::Create(compression));
    }
    ARROW_ASSIGN_OR_RAISE(writer->ipc,
                          arrow::ipc::MakeFileWriter(writer->output, writer->schema, ipc));
    writer->gather_rows = options.group_rows;
    return arrow::Status::OK();
}

arrow::Status WriteBatch(oriel_arrow_writer *writer, const arrow::RecordBatch &batch) {
    return writer->parquet ? writer->parquet->WriteRecordBatch(batch)
                           : writer->ipc->WriteRecordBatch(batch);
}

arrow::Status Flush(oriel_arrow_writer *writer) {
    std::vector<std::shared_ptr<arrow::RecordBatch>> gathered = std::move(writer->gathered);
    writer->gathered.clear();
    writer->gathered_rows = 0;
    if (gathered.size() > 1) {
        ARROW_ASSIGN_OR_RAISE(auto table,
                              arrow::Table::FromRecordBatches(writer->schema, gathered));
        auto joined = table->CombineChunksToBatch(&writer->pool);
        if (joined.ok())
            return WriteBatch(writer, **joined);
        if (joined.status().IsOutOfMemory())
            return joined.status();
        // Strings of more than 2 GiB in all do not fit into one array.
    }
    for (const auto &batch : gathered)
        ARROW_RETURN_NOT_OK(WriteBatch(writer, *batch));
    return arrow::Status::OK();
}

} // namespace

void WriterClose(oriel_arrow_writer *writer) {
    if (writer && writer->output)
        writer->output->Stop(); // a writer that was not finished would write its footer now
    delete writer;
}

oriel_status WriterOpen(const oriel_arrow_write_options *options,
                        const oriel_arrow_account *account, ArrowSchema *schema,
                        oriel_arrow_writer **out, oriel_arrow_message *message) {
    oriel_arrow_writer *writer = nullptr;
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(auto imported, arrow::ImportSchema(schema));
        writer = new oriel_arrow_writer(*account);
        writer->schema = std::move(imported);
        writer->output = std::make_shared<CallbackStream>(*options);
        ARROW_RETURN_NOT_OK(options->format == ORIEL_ARROW_PARQUET ? OpenParquet(writer, *options)
                                                                   : OpenIpc(writer, *options));
        return writer->pool.Check();
    });
    if (status != ORIEL_OK) {
        WriterClose(writer);
        writer = nullptr;
    }
    *out = writer;
    return status;
}

oriel_status WriterAdd(oriel_arrow_writer *writer, ArrowArray *array,
                       oriel_arrow_message *message) {
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(auto batch, arrow::ImportRecordBatch(array, writer->schema));
        if (writer->gathered_rows + batch->num_rows() > writer->gather_rows)
            ARROW_RETURN_NOT_OK(Flush(writer));
        writer->gathered_rows += batch->num_rows();
        writer->gathered.push_back(std::move(batch));
        return writer->pool.Check();
    });
    return status != ORIEL_OK && writer->output->failed() ? ORIEL_IO : status;
}

oriel_status WriterFinish(oriel_arrow_writer *writer, oriel_arrow_message *message) {
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        ARROW_RETURN_NOT_OK(Flush(writer));
        ARROW_RETURN_NOT_OK(writer->parquet ? writer->parquet->Close() : writer->ipc->Close());
        return writer->pool.Check();
    });
    return status != ORIEL_OK && writer->output->failed() ? ORIEL_IO : status;
}

} // namespace oriel_arrow
