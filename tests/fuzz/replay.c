/*
 * Runs the inputs of a fuzz target once: `replay-NAME FOLDER ...` reads every file of the folders.
 * Lets the corpora guard the normal test run, where there is no libFuzzer.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    enum { SIZE_MAX_BYTES = 1 << 20 };
    uint8_t *data = malloc(SIZE_MAX_BYTES);
    const size_t size = data ? fread(data, 1, SIZE_MAX_BYTES, file) : 0;
    fclose(file);
    if (data)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            fprintf(stderr, "no folder %s\n", argv[i]);
            return 1;
        }
        for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                count += run_file(path);
        }
        closedir(folder);
    }
    printf("%d inputs\n", count);
    return count == 0;
}
