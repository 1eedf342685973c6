// Inside the module oriel_arrow.so: what its reading and its writing half share.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/future.h>
#include <parquet/exception.h>

#include "engine/io/arrow_shim.h"

namespace oriel_arrow {

// The system's allocator, which gives memory back sooner than Arrow's own pools, with the engine's
// say in every allocation. Some places of Arrow (its hash tables) do not look whether they got
// their memory, so small blocks are always given, and Check tells afterwards that they should not
// have been.
class AccountedPool : public arrow::MemoryPool {
  public:
    explicit AccountedPool(const oriel_arrow_account &account) : account_(account) {
    }

    using arrow::MemoryPool::Allocate;
    using arrow::MemoryPool::Free;
    using arrow::MemoryPool::Reallocate;

    arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t **out) override;
    arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                             uint8_t **block) override;
    void Free(uint8_t *block, int64_t size, int64_t alignment) override;

    // OutOfMemory once a block was given that there was no room for.
    arrow::Status Check() const;

    int64_t bytes_allocated() const override {
        return used_.load();
    }
    int64_t total_bytes_allocated() const override {
        return total_.load();
    }
    int64_t num_allocations() const override {
        return calls_.load();
    }
    std::string backend_name() const override {
        return pool_->backend_name();
    }

  private:
    arrow::Status Take(int64_t size);
    void Give(int64_t size);

    oriel_arrow_account account_;
    arrow::MemoryPool *pool_ = arrow::system_memory_pool();
    std::atomic<int64_t> used_{0}, total_{0}, calls_{0};
    std::atomic<bool> is_over_{false};
};

// A file that is read where Arrow asks, on the thread that asks: Arrow's own would be read on
// threads of Arrow's, which may outlive what they read for. Owns the descriptor.
class InputFile : public arrow::io::RandomAccessFile {
  public:
    using BufferResult = arrow::Result<std::shared_ptr<arrow::Buffer>>;
    using BufferFuture = arrow::Future<std::shared_ptr<arrow::Buffer>>;

    InputFile(int descriptor, int64_t size, arrow::MemoryPool *pool)
        : descriptor_(descriptor), size_(size), pool_(pool) {
    }
    // Over a file of an object store.
    InputFile(std::shared_ptr<arrow::io::RandomAccessFile> object, int64_t size,
              arrow::MemoryPool *pool)
        : descriptor_(-1), object_(std::move(object)), size_(size), pool_(pool) {
    }
    ~InputFile() override;

    arrow::Status Close() override;
    bool closed() const override {
        return descriptor_ < 0 && !object_;
    }
    arrow::Result<int64_t> Tell() const override {
        return position_;
    }
    arrow::Status Seek(int64_t position) override;
    arrow::Result<int64_t> GetSize() override {
        return size_;
    }
    arrow::Result<int64_t> Read(int64_t count, void *out) override;
    BufferResult Read(int64_t count) override;
    arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, bool may_be_short,
                                  void *out) override;
    arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, void *out) override;
    BufferResult ReadAt(int64_t position, int64_t count, bool may_be_short) override;
    BufferResult ReadAt(int64_t position, int64_t count) override;
    BufferFuture ReadAsync(const arrow::io::IOContext &, int64_t position, int64_t count,
                           bool may_be_short) override;
    BufferFuture ReadAsync(const arrow::io::IOContext &, int64_t position, int64_t count) override;

  private:
    int descriptor_;
    std::shared_ptr<arrow::io::RandomAccessFile> object_; // in its place
    int64_t size_;
    int64_t position_ = 0;
    arrow::MemoryPool *pool_;
};

// Puts what Arrow said into `message`, cut and on one line; returns the status it means.
oriel_status Report(const arrow::Status &status, oriel_arrow_message *message);
oriel_status Report(oriel_status status, const char *text, oriel_arrow_message *message);
inline oriel_status Report(oriel_status status, oriel_arrow_message *) {
    return status;
}

// Calls `work`, which returns an arrow::Status or an oriel_status, and catches what it throws.
template <typename Work> oriel_status Guard(oriel_arrow_message *message, Work work) noexcept {
    try {
        return Report(work(), message);
    } catch (const std::bad_alloc &) {
        return Report(ORIEL_MEMORY, "out of memory", message);
    } catch (const parquet::ParquetStatusException &error) {
        return Report(error.status(), message);
    } catch (const std::exception &error) {
        return Report(ORIEL_DATA, error.what(), message);
    } catch (...) {
        return Report(ORIEL_DATA, "an unknown failure", message);
    }
}

// Opens a Parquet or Arrow file over what `make` gives for a pool.
oriel_status
FileOpenOver(const std::function<std::shared_ptr<InputFile>(arrow::MemoryPool *)> &make,
             oriel_arrow_format format, const oriel_arrow_account *account, oriel_arrow_file **out,
             ArrowSchema *schema, oriel_arrow_message *message);

// Object stores.
oriel_status StoreList(const char *uri, int (*add)(void *, const char *, int64_t, int64_t),
                       void *context, oriel_arrow_message *message);
oriel_status ObjectOpen(const char *uri, oriel_arrow_object **out, int64_t *size,
                        int64_t *modified_ns, oriel_arrow_message *message);
oriel_status ObjectRead(oriel_arrow_object *object, int64_t offset, void *buffer, size_t length,
                        size_t *got, oriel_arrow_message *message);
void ObjectClose(oriel_arrow_object *object);
oriel_status ObjectFileOpen(oriel_arrow_object *object, oriel_arrow_format format,
                            const oriel_arrow_account *account, oriel_arrow_file **out,
                            ArrowSchema *schema, oriel_arrow_message *message);

// The writing half of the table.
oriel_status WriterOpen(const oriel_arrow_write_options *options,
                        const oriel_arrow_account *account, ArrowSchema *schema,
                        oriel_arrow_writer **out, oriel_arrow_message *message);
oriel_status WriterAdd(oriel_arrow_writer *writer, ArrowArray *array, oriel_arrow_message *message);
oriel_status WriterFinish(oriel_arrow_writer *writer, oriel_arrow_message *message);
void WriterClose(oriel_arrow_writer *writer);

} // namespace oriel_arrow
