// The part of the module oriel_arrow.so that reaches object stores, through the file systems of
// Arrow: s3, gs, hdfs. A file system is made once for each store and kept to the end of the
// process.
#include "engine/io/arrow_shim.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <unistd.h>

#include <arrow/filesystem/filesystem.h>

struct oriel_arrow_object {
    std::shared_ptr<arrow::io::RandomAccessFile> file;
    int64_t size = 0;
};

namespace oriel_arrow {

namespace {

using FileSystemPointer = std::shared_ptr<arrow::fs::FileSystem>;

// The parts of scheme://user@bucket/key?query.
struct Location {
    std::string scheme, authority, path, query;
    bool bucket_in_path = true; // as in s3 and gs; hdfs has a host there
};

Location Split(const std::string &uri) {
    Location out;
    const size_t mark = uri.find("://");
    out.scheme = uri.substr(0, mark);
    std::string rest = mark == std::string::npos ? "" : uri.substr(mark + 3);
    const size_t question = rest.find('?');
    if (question != std::string::npos) {
        out.query = rest.substr(question);
        rest.resize(question);
    }
    out.bucket_in_path = out.scheme == "s3" || out.scheme == "gs";
    const size_t slash = rest.find('/');
    out.authority = rest.substr(0, slash);
    out.path = slash == std::string::npos ? "" : rest.substr(slash);
    return out;
}

std::string Escape(const std::string &path) {
    static const char hex[] = "0123456789ABCDEF";
    static const std::string kept = "-._~/=:@!$&'()+,;";
    std::string out;
    for (const char letter : path) {
        const auto byte = static_cast<unsigned char>(letter);
        if ((byte < 0x80 && std::isalnum(byte)) || kept.find(letter) != std::string::npos) {
            out += letter;
        } else {
            out += '%';
            out += hex[byte >> 4];
            out += hex[byte & 15];
        }
    }
    return out;
}

// The URI of a path of the store, which for s3 and gs begins with the bucket.
std::string Join(const Location &from, const std::string &path) {
    std::string authority = from.authority;
    if (from.bucket_in_path) {
        const size_t at = authority.rfind('@');
        authority = at == std::string::npos ? "" : authority.substr(0, at + 1);
    }
    return from.scheme + "://" + authority + Escape(path) + from.query;
}

struct Stores {
    std::mutex mutex;
    std::map<std::string, FileSystemPointer> made;
    bool has_s3 = false, has_exit = false;
};

Stores &TheStores() {
    static auto *stores = new Stores; // lives longer than all threads
    return *stores;
}

void LeaveStores() {
    {
        const std::lock_guard<std::mutex> lock(TheStores().mutex);
        TheStores().made.clear();
    }
    arrow::fs::EnsureFinalized();
}

// The S3 of some builds is a library beside that of Arrow: libarrow_s3.so.N beside libarrow.so.N.
arrow::Status LoadS3() {
    static const std::string name = "libarrow", part = "_s3";
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&arrow::fs::EnsureFinalized), &info) || !info.dli_fname)
        return arrow::Status::OK();
    std::string path = info.dli_fname;
    const size_t at = path.rfind(name + ".so");
    if (at == std::string::npos)
        return arrow::Status::OK();
    path.insert(at + name.size(), part);
    return access(path.c_str(), R_OK) == 0 ? arrow::fs::LoadFileSystemFactories(path.c_str())
                                           : arrow::Status::OK();
}

arrow::Status Find(const std::string &uri, FileSystemPointer *out, std::string *path) {
    const Location location = Split(uri);
    const std::string key = location.scheme + "://" + location.authority + location.query;
    Stores &stores = TheStores();
    const std::lock_guard<std::mutex> lock(stores.mutex);
    FileSystemPointer &made = stores.made[key];
    if (!made) {
        if (location.scheme == "s3" && !stores.has_s3) {
            ARROW_RETURN_NOT_OK(LoadS3());
            stores.has_s3 = true;
        }
        ARROW_ASSIGN_OR_RAISE(made, arrow::fs::FileSystemFromUri(uri, path));
        // Behind all that the store has left to the end of the process, so that it comes before.
        if (!stores.has_exit)
            std::atexit(LeaveStores);
        stores.has_exit = true;
    }
    *out = made;
    ARROW_ASSIGN_OR_RAISE(*path, made->PathFromUri(uri));
    return arrow::Status::OK();
}

int64_t ModifiedNs(const arrow::fs::FileInfo &info) {
    return info.mtime() == arrow::fs::kNoTime ? 0 : info.mtime().time_since_epoch().count();
}

// What a store says is of the network or the store, never of the data.
oriel_status AsInput(oriel_status status) {
    return status == ORIEL_DATA ? ORIEL_IO : status;
}

arrow::Status List(const char *uri, int (*add)(void *, const char *, int64_t, int64_t),
                   void *context) {
    const Location location = Split(uri);
    FileSystemPointer store;
    std::string path;
    ARROW_RETURN_NOT_OK(Find(uri, &store, &path));
    ARROW_ASSIGN_OR_RAISE(const auto info, store->GetFileInfo(path));
    if (info.type() == arrow::fs::FileType::NotFound)
        return arrow::Status::IOError("it does not exist");
    std::vector<arrow::fs::FileInfo> found{info};
    if (info.type() == arrow::fs::FileType::Directory) {
        arrow::fs::FileSelector selector;
        selector.base_dir = path;
        selector.recursive = true;
        ARROW_ASSIGN_OR_RAISE(found, store->GetFileInfo(selector));
    }
    for (const auto &file : found) {
        if (file.type() == arrow::fs::FileType::File &&
            add(context, Join(location, file.path()).c_str(), file.size(), ModifiedNs(file)) != 0)
            return arrow::Status::OutOfMemory("no memory for the names of files");
    }
    return arrow::Status::OK();
}

} // namespace

oriel_status StoreList(const char *uri, int (*add)(void *, const char *, int64_t, int64_t),
                       void *context, oriel_arrow_message *message) {
    return AsInput(Guard(message, [&] { return List(uri, add, context); }));
}

oriel_status ObjectOpen(const char *uri, oriel_arrow_object **out, int64_t *size,
                        int64_t *modified_ns, oriel_arrow_message *message) {
    auto object = std::unique_ptr<oriel_arrow_object>(new (std::nothrow) oriel_arrow_object);
    *out = nullptr;
    if (!object)
        return Report(ORIEL_MEMORY, "out of memory", message);
    const oriel_status status = Guard(message, [&]() -> arrow::Status {
        FileSystemPointer store;
        std::string path;
        ARROW_RETURN_NOT_OK(Find(uri, &store, &path));
        ARROW_ASSIGN_OR_RAISE(const auto info, store->GetFileInfo(path));
        if (info.type() != arrow::fs::FileType::File)
            return arrow::Status::IOError("it does not exist");
        ARROW_ASSIGN_OR_RAISE(object->file, store->OpenInputFile(info));
        ARROW_ASSIGN_OR_RAISE(object->size, object->file->GetSize());
        *size = object->size;
        *modified_ns = ModifiedNs(info);
        return arrow::Status::OK();
    });
    if (status == ORIEL_OK)
        *out = object.release();
    return AsInput(status);
}

oriel_status ObjectRead(oriel_arrow_object *object, int64_t offset, void *buffer, size_t length,
                        size_t *got, oriel_arrow_message *message) {
    *got = 0;
    return AsInput(Guard(message, [&]() -> arrow::Status {
        ARROW_ASSIGN_OR_RAISE(const int64_t count,
                              object->file->ReadAt(offset, static_cast<int64_t>(length), buffer));
        *got = static_cast<size_t>(count);
        return arrow::Status::OK();
    }));
}

void ObjectClose(oriel_arrow_object *object) {
    delete object;
}

oriel_status ObjectFileOpen(oriel_arrow_object *object, oriel_arrow_format format,
                            const oriel_arrow_account *account, oriel_arrow_file **out,
                            ArrowSchema *schema, oriel_arrow_message *message) {
    const std::unique_ptr<oriel_arrow_object> owned(object);
    return FileOpenOver(
        [&](arrow::MemoryPool *pool) {
            return std::make_shared<InputFile>(owned->file, owned->size, pool);
        },
        format, account, out, schema, message);
}

} // namespace oriel_arrow
