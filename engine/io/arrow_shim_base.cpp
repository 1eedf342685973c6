// What Arrow stands on in the module oriel_arrow.so: memory that the engine counts, files that are
// read without threads, and messages.
#include "engine/io/arrow_shim.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

#include <arrow/util/io_util.h>

namespace oriel_arrow {

namespace {

constexpr int64_t kSmallBytes = 256 * 1024;

} // namespace

arrow::Status AccountedPool::Check() const {
    return is_over_ ? arrow::Status::OutOfMemory("the memory limit is reached")
                    : arrow::Status::OK();
}

arrow::Status AccountedPool::Take(int64_t size) {
    const bool is_small = size <= kSmallBytes;
    if (size > 0 && !account_.take(account_.context, static_cast<size_t>(size), is_small)) {
        is_over_ = true;
        if (!is_small)
            return Check();
    }
    used_ += size;
    total_ += size;
    calls_++;
    return arrow::Status::OK();
}

void AccountedPool::Give(int64_t size) {
    if (size > 0)
        account_.give(account_.context, static_cast<size_t>(size));
    used_ -= size;
}

arrow::Status AccountedPool::Allocate(int64_t size, int64_t alignment, uint8_t **out) {
    if (size < 0)
        return arrow::Status::Invalid("a negative size");
    ARROW_RETURN_NOT_OK(Take(size));
    arrow::Status status = pool_->Allocate(size, alignment, out);
    if (!status.ok())
        Give(size);
    return status;
}

arrow::Status AccountedPool::Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                                        uint8_t **block) {
    if (new_size < 0)
        return arrow::Status::Invalid("a negative size");
    const int64_t growth = new_size - old_size;
    if (growth > 0)
        ARROW_RETURN_NOT_OK(Take(growth));
    arrow::Status status = pool_->Reallocate(old_size, new_size, alignment, block);
    if (!status.ok() && growth > 0)
        Give(growth);
    else if (status.ok() && growth < 0)
        Give(-growth);
    return status;
}

void AccountedPool::Free(uint8_t *block, int64_t size, int64_t alignment) {
    pool_->Free(block, size, alignment);
    Give(size);
}

InputFile::~InputFile() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

arrow::Status InputFile::Close() {
    if (descriptor_ >= 0)
        close(descriptor_);
    descriptor_ = -1;
    object_.reset();
    return arrow::Status::OK();
}

arrow::Status InputFile::Seek(int64_t position) {
    if (position < 0)
        return arrow::Status::Invalid("a negative position");
    position_ = position;
    return arrow::Status::OK();
}

arrow::Result<int64_t> InputFile::ReadAt(int64_t position, int64_t count, bool may_be_short,
                                         void *out) {
    if (position < 0 || count < 0)
        return arrow::Status::Invalid("a negative position or length");
    int64_t done = 0;
    if (object_) {
        ARROW_ASSIGN_OR_RAISE(done, object_->ReadAt(position, count, out));
    }
    while (!object_ && done < count) {
        const ssize_t got =
            pread(descriptor_, static_cast<char *>(out) + done,
                  static_cast<size_t>(std::min<int64_t>(count - done, 1 << 30)), position + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return arrow::internal::IOErrorFromErrno(errno, "reading failed");
        if (got == 0)
            break;
        done += got;
    }
    if (done < count && !may_be_short)
        return arrow::Status::Invalid("the file ends early");
    return done;
}

arrow::Result<int64_t> InputFile::ReadAt(int64_t position, int64_t count, void *out) {
    return ReadAt(position, count, true, out);
}

// What a damaged file asks for is no reason to allocate more than the file has.
InputFile::BufferResult InputFile::ReadAt(int64_t position, int64_t count, bool may_be_short) {
    if (position < 0 || count < 0)
        return arrow::Status::Invalid("a negative position or length");
    const int64_t there = std::clamp<int64_t>(size_ - position, 0, count);
    if (there < count && !may_be_short)
        return arrow::Status::Invalid("the file ends early");
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(there, pool_));
    ARROW_ASSIGN_OR_RAISE(const int64_t got,
                          ReadAt(position, there, may_be_short, buffer->mutable_data()));
    if (got < there)
        ARROW_RETURN_NOT_OK(buffer->Resize(got));
    buffer->ZeroPadding();
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

InputFile::BufferResult InputFile::ReadAt(int64_t position, int64_t count) {
    return ReadAt(position, count, true);
}

arrow::Result<int64_t> InputFile::Read(int64_t count, void *out) {
    ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position_, count, true, out));
    position_ += got;
    return got;
}

InputFile::BufferResult InputFile::Read(int64_t count) {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, count, true));
    position_ += buffer->size();
    return buffer;
}

InputFile::BufferFuture InputFile::ReadAsync(const arrow::io::IOContext &, int64_t position,
                                             int64_t count, bool may_be_short) {
    return BufferFuture::MakeFinished(ReadAt(position, count, may_be_short));
}

InputFile::BufferFuture InputFile::ReadAsync(const arrow::io::IOContext &, int64_t position,
                                             int64_t count) {
    return BufferFuture::MakeFinished(ReadAt(position, count, true));
}

oriel_status Report(oriel_status status, const char *text, oriel_arrow_message *message) {
    size_t length = 0;
    for (; text[length] && text[length] != '\n' && length < sizeof message->text - 1; length++)
        message->text[length] = text[length];
    while (length && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        length--; // cut before a character, not in it
    message->text[length] = '\0';
    return status;
}

oriel_status Report(const arrow::Status &status, oriel_arrow_message *message) {
    if (status.ok())
        return ORIEL_OK;
    if (status.IsOutOfMemory())
        return Report(ORIEL_MEMORY, status.message().c_str(), message);
    if (status.IsNotImplemented())
        return Report(ORIEL_UNSUPPORTED, status.message().c_str(), message);
    if (arrow::internal::ErrnoFromStatus(status))
        return Report(ORIEL_IO, status.message().c_str(), message);
    return Report(ORIEL_DATA, status.message().c_str(), message);
}

} // namespace oriel_arrow
