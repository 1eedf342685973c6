// The module oriel_arrow.so: arrow_shim.h over Arrow C++, the only C++ of the engine. This half
// reads; arrow_shim_write.cpp writes. Every exception ends here, and no thread of Arrow's is
// started.
#include "engine/io/arrow_shim.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <arrow/c/bridge.h>
#include <arrow/ipc/api.h>
#include <arrow/util/config.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

struct oriel_arrow_file {
    explicit oriel_arrow_file(const oriel_arrow_account &account) : pool(account) {
    }

    oriel_arrow::AccountedPool pool;
    oriel_arrow_format format = ORIEL_ARROW_PARQUET;
    std::shared_ptr<oriel_arrow::InputFile> input;
    std::shared_ptr<arrow::Schema> schema;
    std::shared_ptr<parquet::FileMetaData> metadata; // Parquet
    std::vector<int> leaves;                         // Parquet: of each field, -1 when nested
    std::vector<std::vector<int>> all_leaves;        // of each field, those below it too
    bool is_stream = false;                          // Arrow
    int64_t batch_count = 0;                         // Arrow, of the file form
};

struct oriel_arrow_reader {
    oriel_arrow_file *file = nullptr;
    std::vector<int> fields;
    int64_t batch_rows = 0;
    arrow::TimeUnit::type int96_unit = arrow::TimeUnit::NANO;
    // Parquet
    std::vector<int> leaves;
    std::vector<int> flat_leaves;       // those of fields that are not nested
    std::vector<int> dictionary_leaves; // what `parquet` reads as dictionaries
    std::unique_ptr<parquet::arrow::FileReader> parquet;
    // Arrow
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> batches;
    int64_t next_batch = -1;
    // What the arrays of the part come from: a part of a Parquet file or a whole stream.
    std::shared_ptr<arrow::RecordBatchReader> stream;
};

namespace oriel_arrow {

namespace {

constexpr int64_t kColumnBufferBytes = 256 << 10;

parquet::ReaderProperties FileProperties(oriel_arrow_file *file) {
    parquet::ReaderProperties properties(&file->pool);
    properties.set_page_checksum_verification(true);
    // A column of a row group is read piece by piece, not as a whole.
    properties.enable_buffered_stream();
    properties.set_buffer_size(kColumnBufferBytes);
    return properties;
}

arrow::Status BuildReader(oriel_arrow_file *file, const parquet::ArrowReaderProperties &properties,
                          std::unique_ptr<parquet::arrow::FileReader> *out) {
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file->input, FileProperties(file), file->metadata));
    builder.memory_pool(&file->pool)->properties(properties);
    return builder.Build(out);
}

void CollectLeaves(const parquet::arrow::SchemaField &field, std::vector<int> *out) {
    if (field.is_leaf())
        out->push_back(field.column_index);
    for (const auto &child : field.children)
        CollectLeaves(child, out);
}

arrow::Status OpenParquet(oriel_arrow_file *file) {
    std::unique_ptr<parquet::arrow::FileReader> reader;
    ARROW_RETURN_NOT_OK(BuildReader(file, parquet::default_arrow_reader_properties(), &reader));
    file->metadata = reader->parquet_reader()->metadata();
    ARROW_RETURN_NOT_OK(reader->GetSchema(&file->schema));
    for (const auto &field : reader->manifest().schema_fields) {
        file->leaves.push_back(field.is_leaf() ? field.column_index : -1);
        file->all_leaves.emplace_back();
        CollectLeaves(field, &file->all_leaves.back());
    }
    return arrow::Status::OK();
}

arrow::ipc::IpcReadOptions IpcOptions(oriel_arrow_file *file, std::vector<int> fields) {
    arrow::ipc::IpcReadOptions options = arrow::ipc::IpcReadOptions::Defaults();
    options.memory_pool = &file->pool;
    options.use_threads = false;
    options.included_fields = std::move(fields);
    return options;
}

arrow::Status OpenIpc(oriel_arrow_file *file) {
    char magic[6];
    ARROW_ASSIGN_OR_RAISE(int64_t count, file->input->ReadAt(0, sizeof magic, magic));
    file->is_stream = count < 6 || std::memcmp(magic, "ARROW1", 6) != 0;
    if (file->is_stream) {
        ARROW_RETURN_NOT_OK(file->input->Seek(0));
        ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(
                                               file->input, IpcOptions(file, {})));
        file->schema = reader->schema();
        return arrow::Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(
        auto reader, arrow::ipc::RecordBatchFileReader::Open(file->input, IpcOptions(file, {})));
    file->schema = reader->schema();
    file->batch_count = reader->num_record_batches();
    return arrow::Status::OK();
}

void FileClose(oriel_arrow_file *file) {
    delete file;
}

oriel_status FileOpen(int descriptor, oriel_arrow_format format, const oriel_arrow_account *account,
                      oriel_arrow_file **out, ArrowSchema *schema, oriel_arrow_message *message) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) {
        *out = nullptr;
        close(descriptor);
        return Report(ORIEL_IO, "no size", message);
    }
    bool is_owned = false;
    const oriel_status status = FileOpenOver(
        [&](arrow::MemoryPool *pool) {
            auto input = std::make_shared<InputFile>(descriptor, facts.st_size, pool);
            is_owned = true;
            return input;
        },
        format, account, out, schema, message);
    if (!is_owned)
        close(descriptor);
    return status;
}

int64_t PartCount(const oriel_arrow_file *file) {
    if (file->format == ORIEL_ARROW_PARQUET)
        return file->metadata->num_row_groups();
    return file->is_stream ? -1 : file->batch_count;
}

int64_t PartRows(const oriel_arrow_file *file, int64_t part) {
    if (file->format != ORIEL_ARROW_PARQUET)
        return -1;
    oriel_arrow_message message;
    int64_t rows = -1;
    Guard(&message, [&] {
        rows = file->metadata->RowGroup(static_cast<int>(part))->num_rows();
        return ORIEL_OK;
    });
    return rows;
}

// True when `chunk` holds strings of which every one is in its dictionary.
bool IsDictionaryChunk(const parquet::ColumnChunkMetaData &chunk) {
    if (chunk.type() != parquet::Type::BYTE_ARRAY || !chunk.has_dictionary_page())
        return false;
    const auto &stats = chunk.encoding_stats();
    if (stats.empty()) {
        // PLAIN is how the dictionary itself is written, or how values are that it does not hold.
        // Those take at least four bytes each for their length, codes seldom more than two.
        const auto &encodings = chunk.encodings();
        const bool has_plain = std::find(encodings.begin(), encodings.end(),
                                         parquet::Encoding::PLAIN) != encodings.end();
        return !has_plain || chunk.total_uncompressed_size() <= 3 * chunk.num_values();
    }
    for (const auto &page : stats) {
        const bool is_data = page.page_type == parquet::PageType::DATA_PAGE ||
                             page.page_type == parquet::PageType::DATA_PAGE_V2;
        if (is_data && page.encoding != parquet::Encoding::PLAIN_DICTIONARY &&
            page.encoding != parquet::Encoding::RLE_DICTIONARY)
            return false;
    }
    return true;
}

template <typename Statistics>
bool TakeRange(const parquet::Statistics &any, oriel_arrow_range *out) {
    const auto &statistics = static_cast<const Statistics &>(any);
    out->low = statistics.min();
    out->high = statistics.max();
    out->null_count = statistics.null_count();
    return true;
}

int PartRange(const oriel_arrow_file *file, int64_t part, int field, oriel_arrow_range *out) {
    if (file->format != ORIEL_ARROW_PARQUET || file->leaves[static_cast<size_t>(field)] < 0)
        return 0;
    oriel_arrow_message message;
    bool found = false;
    Guard(&message, [&] {
        auto group = file->metadata->RowGroup(static_cast<int>(part));
        auto chunk = group->ColumnChunk(file->leaves[static_cast<size_t>(field)]);
        auto statistics = chunk->statistics();
        if (!statistics || !statistics->HasMinMax() || !statistics->HasNullCount() ||
            statistics->descr()->sort_order() != parquet::SortOrder::SIGNED)
            return ORIEL_OK;
        if (statistics->physical_type() == parquet::Type::INT32)
            found = TakeRange<parquet::Int32Statistics>(*statistics, out);
        else if (statistics->physical_type() == parquet::Type::INT64)
            found = TakeRange<parquet::Int64Statistics>(*statistics, out);
        return ORIEL_OK;
    });
    return found;
}

void ReaderClose(oriel_arrow_reader *reader) {
    delete reader;
}

oriel_status ReaderOpen(oriel_arrow_file *file, const oriel_arrow_read_options *options,
                        oriel_arrow_reader **out, oriel_arrow_message *message) {
    oriel_arrow_reader *reader = nullptr;
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        static const arrow::TimeUnit::type units[] = {
            arrow::TimeUnit::MILLI, arrow::TimeUnit::MICRO, arrow::TimeUnit::NANO};
        reader = new oriel_arrow_reader;
        reader->file = file;
        reader->fields.assign(options->fields, options->fields + options->field_count);
        reader->batch_rows = options->batch_rows;
        reader->int96_unit = units[options->int96_unit];
        if (file->format == ORIEL_ARROW_PARQUET) {
            for (const int field : reader->fields) {
                const auto &below = file->all_leaves[static_cast<size_t>(field)];
                reader->leaves.insert(reader->leaves.end(), below.begin(), below.end());
                if (file->leaves[static_cast<size_t>(field)] >= 0)
                    reader->flat_leaves.push_back(below[0]);
            }
        } else if (file->is_stream) {
            ARROW_RETURN_NOT_OK(file->input->Seek(0));
            ARROW_ASSIGN_OR_RAISE(reader->stream,
                                  arrow::ipc::RecordBatchStreamReader::Open(
                                      file->input, IpcOptions(file, reader->fields)));
        } else {
            ARROW_ASSIGN_OR_RAISE(reader->batches,
                                  arrow::ipc::RecordBatchFileReader::Open(
                                      file->input, IpcOptions(file, reader->fields)));
        }
        return arrow::Status::OK();
    });
    if (status != ORIEL_OK) {
        ReaderClose(reader);
        reader = nullptr;
    }
    *out = reader;
    return status;
}

// A FileReader decides for all its row groups what comes as a dictionary, so it is made anew when
// the next one differs.
arrow::Status BeginRowGroup(oriel_arrow_reader *reader, int part) {
    oriel_arrow_file *file = reader->file;
    std::vector<int> dictionary_leaves;
    auto group = file->metadata->RowGroup(part);
    for (const int leaf : reader->flat_leaves) {
        if (IsDictionaryChunk(*group->ColumnChunk(leaf)))
            dictionary_leaves.push_back(leaf);
    }
    reader->stream.reset();
    if (!reader->parquet || dictionary_leaves != reader->dictionary_leaves) {
        parquet::ArrowReaderProperties properties(/*use_threads=*/false);
        properties.set_batch_size(reader->batch_rows);
        properties.set_pre_buffer(false);
        properties.set_coerce_int96_timestamp_unit(reader->int96_unit);
        for (const int leaf : dictionary_leaves)
            properties.set_read_dictionary(leaf, true);
        reader->parquet.reset();
        ARROW_RETURN_NOT_OK(BuildReader(file, properties, &reader->parquet));
        reader->dictionary_leaves = std::move(dictionary_leaves);
    }
    ARROW_ASSIGN_OR_RAISE(reader->stream,
                          reader->parquet->GetRecordBatchReader({part}, reader->leaves));
    return arrow::Status::OK();
}

oriel_status ReaderBegin(oriel_arrow_reader *reader, int64_t part, ArrowSchema *schema,
                         oriel_arrow_message *message) {
    return Guard(message, [&]() -> arrow::Status {
        if (reader->file->format == ORIEL_ARROW_PARQUET)
            ARROW_RETURN_NOT_OK(BeginRowGroup(reader, static_cast<int>(part)));
        if (reader->stream)
            return arrow::ExportSchema(*reader->stream->schema(), schema);
        reader->next_batch = part;
        std::vector<std::shared_ptr<arrow::Field>> fields;
        for (const int field : reader->fields)
            fields.push_back(reader->file->schema->field(field));
        return arrow::ExportSchema(arrow::Schema(fields), schema);
    });
}

arrow::Status NextBatch(oriel_arrow_reader *reader, std::shared_ptr<arrow::RecordBatch> *out) {
    if (reader->stream)
        return reader->stream->ReadNext(out);
    if (reader->next_batch < 0)
        return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(*out,
                          reader->batches->ReadRecordBatch(static_cast<int>(reader->next_batch)));
    reader->next_batch = -1;
    return arrow::Status::OK();
}

oriel_status ReaderNext(oriel_arrow_reader *reader, ArrowArray *out, oriel_arrow_message *message) {
    bool is_end = false;
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        std::shared_ptr<arrow::RecordBatch> batch;
        ARROW_RETURN_NOT_OK(NextBatch(reader, &batch));
        ARROW_RETURN_NOT_OK(reader->file->pool.Check());
        is_end = !batch;
        if (is_end)
            return arrow::Status::OK();
        // Arrays of Parquet are built by its decoders; those of Arrow files are what the file says.
        if (reader->file->format == ORIEL_ARROW_IPC)
            ARROW_RETURN_NOT_OK(batch->ValidateFull());
        return arrow::ExportRecordBatch(*batch, out);
    });
    return status == ORIEL_OK && is_end ? ORIEL_DONE : status;
}

} // namespace

oriel_status
FileOpenOver(const std::function<std::shared_ptr<InputFile>(arrow::MemoryPool *)> &make,
             oriel_arrow_format format, const oriel_arrow_account *account, oriel_arrow_file **out,
             ArrowSchema *schema, oriel_arrow_message *message) {
    oriel_arrow_file *file = nullptr;
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        file = new oriel_arrow_file(*account);
        file->input = make(&file->pool);
        file->format = format;
        ARROW_RETURN_NOT_OK(format == ORIEL_ARROW_PARQUET ? OpenParquet(file) : OpenIpc(file));
        ARROW_RETURN_NOT_OK(file->pool.Check());
        return arrow::ExportSchema(*file->schema, schema);
    });
    if (status != ORIEL_OK) {
        FileClose(file);
        file = nullptr;
    }
    *out = file;
    return status;
}

} // namespace oriel_arrow

extern "C" __attribute__((visibility("default"))) const struct oriel_arrow_shim oriel_arrow_module;

const struct oriel_arrow_shim oriel_arrow_module = {
    ORIEL_ARROW_SHIM_VERSION, ARROW_VERSION_STRING,      oriel_arrow::FileOpen,
    oriel_arrow::FileClose,   oriel_arrow::PartCount,    oriel_arrow::PartRows,
    oriel_arrow::PartRange,   oriel_arrow::ReaderOpen,   oriel_arrow::ReaderClose,
    oriel_arrow::ReaderBegin, oriel_arrow::ReaderNext,   oriel_arrow::WriterOpen,
    oriel_arrow::WriterAdd,   oriel_arrow::WriterFinish, oriel_arrow::WriterClose,
    oriel_arrow::StoreList,   oriel_arrow::ObjectOpen,   oriel_arrow::ObjectRead,
    oriel_arrow::ObjectClose, oriel_arrow::ObjectFileOpen,
};
