/*
 * Bad rows on their way to the file of --rejects.
 */
#include "cli/rejects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/options.h"

/* The program has one such file. */
static struct {
    FILE *file;
    const char *path;
    char *temporary; /* NULL: written straight */
    unsigned long long count;
} rejects;

static int report(const char *path) {
    message_problem("cannot write %s: %s", path, strerror(errno));
    return EXIT_ERROR;
}

static FILE *open_temporary(const char *path, const struct stat *existing) {
    const size_t size = strlen(path) + sizeof ".XXXXXX";
    rejects.temporary = malloc(size);
    if (!rejects.temporary)
        return NULL;
    snprintf(rejects.temporary, size, "%s.XXXXXX", path);
    const int descriptor = mkstemp(rejects.temporary);
    if (descriptor < 0) {
        free(rejects.temporary);
        rejects.temporary = NULL;
        return NULL;
    }
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, existing ? existing->st_mode & 0777 : 0666 & ~mask);
    return fdopen(descriptor, "w");
}

int rejects_open(const char *path) {
    struct stat facts;
    const int exists = stat(path, &facts) == 0;
    rejects.path = path;
    if (exists && !S_ISREG(facts.st_mode))
        rejects.file = fopen(path, "w");
    else
        rejects.file = open_temporary(path, exists ? &facts : NULL);
    if (!rejects.file)
        return report(path);
    fputs("file,line,column,reason,raw\n", rejects.file);
    return EXIT_OK;
}

/* Length of the well-formed UTF-8 character at `text`; 0 when there is none. */
static size_t character_bytes(const unsigned char *text, size_t length) {
    const unsigned char lead = text[0];
    const size_t need = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (need > length || lead > 0xF4)
        return 0;
    for (size_t i = 1; i < need; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    }
    const int is_bad = (lead == 0xE0 && text[1] < 0xA0) || (lead == 0xED && text[1] > 0x9F) ||
                       (lead == 0xF0 && text[1] < 0x90) || (lead == 0xF4 && text[1] > 0x8F);
    return is_bad ? 0 : need;
}

/* A field in quotes; bytes that are no UTF-8 as \xNN. */
static void put_quoted(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    fputc('"', rejects.file);
    for (size_t at = 0; at < length;) {
        const size_t count = character_bytes(bytes + at, length - at);
        if (!count)
            fprintf(rejects.file, "\\x%02x", bytes[at]);
        else if (bytes[at] == '"')
            fputs("\"\"", rejects.file);
        else
            fwrite(bytes + at, 1, count, rejects.file);
        at += count ? count : 1;
    }
    fputc('"', rejects.file);
}

static void put_field(const char *text, size_t length, char end) {
    size_t plain = 0;
    while (plain < length && !strchr(",\"\r\n", text[plain]) && (unsigned char)text[plain] < 0x80)
        plain++;
    if (plain == length && length && text[0] != ' ' && text[length - 1] != ' ')
        fwrite(text, 1, length, rejects.file);
    else if (length)
        put_quoted(text, length);
    fputc(end, rejects.file);
}

int rejects_add(void *context, const struct oriel_rejected_row *row) {
    (void)context;
    rejects.count++;
    if (!rejects.file)
        return 0;
    put_field(row->file, strlen(row->file), ',');
    fprintf(rejects.file, "%llu,", (unsigned long long)row->line);
    put_field(row->column, strlen(row->column), ',');
    put_field(row->reason, strlen(row->reason), ',');
    put_field(row->raw, row->raw_length, '\n');
    return ferror(rejects.file) ? EIO : 0;
}

int rejects_close(int keep, int status) {
    if (rejects.count)
        message_line("note: %llu bad row%s rejected%s%s", rejects.count,
                     rejects.count == 1 ? " was" : "s were", rejects.file ? "; see " : "",
                     rejects.file ? rejects.path : "; --rejects FILE shows them");
    if (!rejects.file)
        return status;
    int failed = ferror(rejects.file);
    failed |= fclose(rejects.file) != 0;
    if (rejects.temporary && keep && !failed)
        failed = rename(rejects.temporary, rejects.path) != 0;
    if (rejects.temporary && (failed || !keep))
        unlink(rejects.temporary);
    if (failed)
        status = report(rejects.path);
    free(rejects.temporary);
    rejects.file = NULL;
    return status;
}
