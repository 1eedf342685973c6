/*
 * Scripts are read whole before the first statement runs: a missing file is found early.
 */
#include "cli/script_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"

enum { READ_BYTES = 1 << 16 };

static int read_whole(int fd, struct script_text *out) {
    size_t capacity = 0;
    for (;;) {
        if (capacity - out->length < READ_BYTES) {
            capacity = capacity * 2 + READ_BYTES;
            char *grown = realloc(out->bytes, capacity);
            if (!grown)
                return ENOMEM;
            out->bytes = grown;
        }
        const ssize_t count = read(fd, out->bytes + out->length, READ_BYTES);
        if (count == 0)
            return 0;
        if (count > 0)
            out->length += (size_t)count;
        else if (errno != EINTR || interrupt_signal())
            return errno;
    }
}

int script_text_read(const struct script_argument *argument, struct script_text *out) {
    *out = (struct script_text){.name = argument->value};
    if (argument->kind == SCRIPT_TEXT) {
        out->name = "-e";
        out->length = strlen(argument->value);
        out->bytes = strdup(argument->value);
        return out->bytes ? EXIT_OK : EXIT_ERROR;
    }
    const int is_input = strcmp(argument->value, "-") == 0;
    if (is_input)
        out->name = "stdin";
    int fd;
    do {
        fd = is_input ? STDIN_FILENO : open(argument->value, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR && !interrupt_signal());
    int code = fd < 0 ? errno : read_whole(fd, out);
    if (fd >= 0 && !is_input)
        close(fd);
    if (interrupt_signal())
        return EXIT_SIGNAL + interrupt_signal();
    if (!code)
        return EXIT_OK;
    message_problem("cannot read the script %s: %s", out->name, strerror(code));
    return EXIT_ERROR;
}

void script_text_free(struct script_text *text) {
    free(text->bytes);
    text->bytes = NULL;
}
