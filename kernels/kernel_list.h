/* THE list of kernels. Every file that needs one thing per kernel (the struct of pointers, the
 * table of each instruction set, the checks, the benchmarks) includes this file with its own
 *
 *     #define KERNEL(name, return_type, parameters) ...
 *
 * so a kernel that lacks a reference, a vector text, a check or a benchmark does not link.
 *
 * Rules for all entries:
 * - Arrays do not overlap unless the contract says so. They need only the alignment of their type.
 * - `valid` is a bitmap of (count + 63) / 64 words, bit i % 64 of word i / 64 set when row i is not
 *   NULL, or the pointer NULL when no row is. Bits past count are ignored. The value of a NULL row
 *   may be anything and never influences a result.
 * - A bitmap that is written has (count + 63) / 64 words, all written, bits past count zero.
 * - `text` is one of our padded buffers: ORIEL_KERNEL_PADDING bytes past its end may be read (any
 *   content). Everything else is read exactly up to count.
 * - Every instruction set gives the same bits as the reference.
 */

/* ---- csv: bytes -> separators -> values ------------------------------------------------------ */

/* Finds the separators of text that contains no quote character.
 * Writes the offset of every delimiter and '\n' to `positions`, and for every '\n' the index of its
 * entry in `positions` to `record_ends`. `positions` has room for length + 64 entries,
 * `record_ends` for length + 8; entries past the reported counts may be overwritten with anything.
 * `quote` is the quote character or -1. When out->has_quote comes back set, positions, record_ends
 * and the counts are unspecified: run csv_index_quoted. length <= UINT32_MAX - 64. */
KERNEL(csv_index, void,
       (const char *restrict text, size_t length, char delimiter, int quote,
        uint32_t *restrict positions, uint32_t *restrict record_ends,
        struct oriel_csv_index *restrict out))

/* The same for text with quotes. A quote opens a quoted field only as the first character of the
 * field; inside, two quotes stand for one; a single one closes, and must be followed by a
 * delimiter, CR, newline or the end. A quote inside an unquoted field is an ordinary character.
 * Separators inside quotes are not reported. `state` says where in a record the text begins,
 * out->state where it ends, so text may be cut anywhere. Text after a closing quote is reported by
 * its offset in out->bad_offset (the first one; UINT32_MAX if none) and read on as an unquoted
 * field. Same room, same limits as csv_index. */
KERNEL(csv_index_quoted, void,
       (const char *restrict text, size_t length, char delimiter, char quote,
        enum oriel_csv_state state, uint32_t *restrict positions, uint32_t *restrict record_ends,
        struct oriel_csv_index *restrict out))

/* Returns the length of the longest prefix of text that is well-formed UTF-8 (Unicode 15, table
 * 3-7: no overlong forms, no surrogates, nothing above U+10FFFF): `length` when all of it is,
 * otherwise the offset of the first byte of the first ill-formed or incomplete sequence. */
KERNEL(utf8_validate, size_t, (const char *restrict text, size_t length))

/* The csv_<type> kernels decode one column. Field i is the bytes
 *     text[positions[i * stride] + 1 .. positions[i * stride + 1])
 * with + 1 modulo 2^32, so that a leading sentinel UINT32_MAX stands for offset 0. They decode the
 * plain form; a field of any other form sets bit i of `slow` and writes 0, and the caller takes the
 * exact path for it. */

/* [-]d{1..18}. csv_i32 sets the slow bit also when the number does not fit. */
KERNEL(csv_i32, void,
       (const char *restrict text, const uint32_t *restrict positions, size_t stride, size_t count,
        int32_t *restrict out, uint64_t *restrict slow))
KERNEL(csv_i64, void,
       (const char *restrict text, const uint32_t *restrict positions, size_t stride, size_t count,
        int64_t *restrict out, uint64_t *restrict slow))

/* yyyy-MM-dd HH:mm:ss[.f{1..9}] -> milliseconds since 1970-01-01 00:00:00, proleptic Gregorian,
 * years 0000 to 9999, the fraction truncated to milliseconds. With ORIEL_CSV_ZONE_Z the field must
 * end in one 'Z', with ORIEL_CSV_ZONE_NONE it must not. */
KERNEL(csv_timestamp_ms, void,
       (const char *restrict text, const uint32_t *restrict positions, size_t stride, size_t count,
        enum oriel_csv_zone zone, int64_t *restrict out, uint64_t *restrict slow))

/* Bytes of a field as they stand -> oriel_kernel_string; a long one points into text, which must
 * outlive it. Slow only for a field that starts with `quote` (-1: never), written as length 0. */
KERNEL(csv_string, void,
       (const char *restrict text, const uint32_t *restrict positions, size_t stride, size_t count,
        int quote, struct oriel_kernel_string *restrict out, uint64_t *restrict slow))

/* ---- assign: times -> window or slice starts --------------------------------------------------
 */

/* out[0] = least, out[1] = greatest valid value; INT64_MAX, INT64_MIN when there is none. */
KERNEL(min_max_i64, void,
       (const int64_t *restrict values, const uint64_t *restrict valid, size_t count,
        int64_t out[restrict 2]))

/* start[i] = time[i] - floorMod(time[i] - offset, size), size > 0, for every int64; differences
 * that leave int64 wrap as Java's do. Rows that share a window with their neighbours need no
 * division. */
KERNEL(floor_i64, void,
       (const int64_t *restrict time, size_t count, int64_t size, int64_t offset,
        int64_t *restrict start))

/* Length of the longest prefix of values at begin .. begin + length - 1, modulo 2^64; length > 0.
 */
KERNEL(within_prefix_i64, size_t,
       (const int64_t *restrict values, size_t count, int64_t begin, uint64_t length))

/* ---- hash: values -> 64-bit hashes ------------------------------------------------------------
 */

/* hash[i] = H(values[i]); a NULL row hashes to a constant. With ORIEL_HASH_COMBINE the result is
 * mixed, in order, with the hash[i] that is already there (keys of several columns). hash_i32
 * equals hash_i64 of the widened value. All 64 bits are usable, the top ones for partitions. */
KERNEL(hash_i32, void,
       (const int32_t *restrict values, const uint64_t *restrict valid, size_t count,
        enum oriel_hash_mode mode, uint64_t *restrict hash))
KERNEL(hash_i64, void,
       (const int64_t *restrict values, const uint64_t *restrict valid, size_t count,
        enum oriel_hash_mode mode, uint64_t *restrict hash))
/* Each value two words, low first. */
KERNEL(hash_i128, void,
       (const uint64_t *restrict values, const uint64_t *restrict valid, size_t count,
        enum oriel_hash_mode mode, uint64_t *restrict hash))
/* By content: an inline string and a pointed-to one of equal bytes cannot exist, since the length
 * decides the form. */
KERNEL(hash_string, void,
       (const struct oriel_kernel_string *restrict values, const uint64_t *restrict valid,
        size_t count, enum oriel_hash_mode mode, uint64_t *restrict hash))

/* ---- filter: conditions -> selections -> gathered columns -------------------------------------
 */

/* out[i] = values[i] OP bound (or left[i] OP right[i]) as bytes 0 and 1. Doubles in Flink's order:
 * NaN equals itself and is above everything, -0.0 equals 0.0. */
KERNEL(compare_i32, void,
       (enum oriel_compare op, const int32_t *restrict left, const int32_t *restrict right,
        size_t count, uint8_t *restrict out))
KERNEL(compare_i64, void,
       (enum oriel_compare op, const int64_t *restrict left, const int64_t *restrict right,
        size_t count, uint8_t *restrict out))
KERNEL(compare_f64, void,
       (enum oriel_compare op, const double *restrict left, const double *restrict right,
        size_t count, uint8_t *restrict out))
KERNEL(compare_constant_i32, void,
       (enum oriel_compare op, const int32_t *restrict values, int32_t bound, size_t count,
        uint8_t *restrict out))
KERNEL(compare_constant_i64, void,
       (enum oriel_compare op, const int64_t *restrict values, int64_t bound, size_t count,
        uint8_t *restrict out))
KERNEL(compare_constant_f64, void,
       (enum oriel_compare op, const double *restrict values, double bound, size_t count,
        uint8_t *restrict out))

/* Bit i of selection = bytes[i] != 0 and row i valid. Returns the number of set bits. */
KERNEL(bytes_to_bits, size_t,
       (const uint8_t *restrict bytes, const uint64_t *restrict valid, size_t count,
        uint64_t *restrict selection))

/* Number of set bits among the first count. */
KERNEL(count_bits, size_t, (const uint64_t *restrict bits, size_t count))

/* Numbers of the set bits, ascending. Returns how many. `indices` has room for count + 64 entries;
 * those past the returned number may be overwritten. */
KERNEL(select_indices, size_t,
       (const uint64_t *restrict selection, size_t count, uint32_t *restrict indices))

/* out[i] = values[indices[i]], elements of 8, 16, 32, 64 or 128 bits (128: two words each). */
KERNEL(gather_8, void,
       (const uint8_t *restrict values, const uint32_t *restrict indices, size_t count,
        uint8_t *restrict out))
KERNEL(gather_16, void,
       (const uint16_t *restrict values, const uint32_t *restrict indices, size_t count,
        uint16_t *restrict out))
KERNEL(gather_32, void,
       (const uint32_t *restrict values, const uint32_t *restrict indices, size_t count,
        uint32_t *restrict out))
KERNEL(gather_64, void,
       (const uint64_t *restrict values, const uint32_t *restrict indices, size_t count,
        uint64_t *restrict out))
KERNEL(gather_128, void,
       (const uint64_t *restrict values, const uint32_t *restrict indices, size_t count,
        uint64_t *restrict out))
/* Bit i of out = bit indices[i] of bits. */
KERNEL(gather_bits, void,
       (const uint64_t *restrict bits, const uint32_t *restrict indices, size_t count,
        uint64_t *restrict out))

/* ---- group: rows -> accumulators --------------------------------------------------------------
 */

/* The accumulator of row i is the int64 at (char *)states + group[i] * stride (aligned; the caller
 * has initialised it). NULL rows do nothing. Sums wrap. */
KERNEL(group_count, void,
       (const uint32_t *restrict group, const uint64_t *restrict valid, size_t count,
        void *restrict states, size_t stride))
/* The accumulator is two of them: the sum, then the count. */
KERNEL(group_sum_i32, void,
       (const uint32_t *restrict group, const int32_t *restrict values,
        const uint64_t *restrict valid, size_t count, void *restrict states, size_t stride))
KERNEL(group_sum_i64, void,
       (const uint32_t *restrict group, const int64_t *restrict values,
        const uint64_t *restrict valid, size_t count, void *restrict states, size_t stride))
KERNEL(group_min_i64, void,
       (const uint32_t *restrict group, const int64_t *restrict values,
        const uint64_t *restrict valid, size_t count, void *restrict states, size_t stride))
KERNEL(group_max_i64, void,
       (const uint32_t *restrict group, const int64_t *restrict values,
        const uint64_t *restrict valid, size_t count, void *restrict states, size_t stride))

/* group[i] = base + ids[i]; touched[group[i]] becomes 1. Returns how many were 0 before. */
KERNEL(group_place, size_t,
       (const uint32_t *restrict ids, size_t count, uint32_t base, uint8_t *restrict touched,
        uint32_t *restrict group))

/* Wrapping sum of the valid values of a whole column (its least and greatest: min_max_i64). */
KERNEL(sum_i32, int64_t,
       (const int32_t *restrict values, const uint64_t *restrict valid, size_t count))
KERNEL(sum_i64, int64_t,
       (const int64_t *restrict values, const uint64_t *restrict valid, size_t count))

/* ---- pack: words -> fewer bytes -----------------------------------------------------------------
 */

/* Value i of `packed` is the low `width` bytes (0, 1, 2, 4 or 8, aligned) of values[i] - base, the
 * lowest first; with a width of 0 nothing is written. */
KERNEL(pack_u64, void,
       (const uint64_t *restrict values, size_t count, uint64_t base, unsigned width,
        void *restrict packed))
/* values[i * stride] = base + value i of `packed`. */
KERNEL(unpack_u64, void,
       (const void *restrict packed, size_t count, uint64_t base, unsigned width, size_t stride,
        uint64_t *restrict values))

/* ---- session, sort, topn ----------------------------------------------------------------------
 */

/* Bit i = row i starts a session: i == 0, or keys[i] != keys[i - 1], or time[i] - time[i - 1] >
 * gap. `time` ascends within a run of equal keys (keys NULL: everywhere); gap >= 0; the difference
 * is exact for all int64. Returns the number of set bits. */
KERNEL(session_breaks, size_t,
       (const int64_t *restrict time, const uint32_t *restrict keys, size_t count, int64_t gap,
        uint64_t *restrict breaks))

/* Length of the longest non-descending prefix; the column is sorted when that is count. */
KERNEL(sorted_prefix_i64, size_t, (const int64_t *restrict values, size_t count))

/* Stable ascending sort of (key, payload) pairs by key, least significant digit first; digits that
 * are equal in all keys cost nothing. The result is in keys and payload; the scratch arrays of the
 * same lengths are overwritten. */
KERNEL(radix_sort_u64, void,
       (uint64_t *restrict keys, uint32_t *restrict payload, size_t count,
        uint64_t *restrict scratch_keys, uint32_t *restrict scratch_payload))

/* Partition p = the top `bits` bits of hash (1 <= bits <= 12). offsets gets (1 << bits) + 1
 * entries; rows[offsets[p] .. offsets[p + 1]) are the row numbers of partition p, ascending. */
KERNEL(partition_u64, void,
       (const uint64_t *restrict hash, size_t count, unsigned bits, uint32_t *restrict offsets,
        uint32_t *restrict rows))

/* Numbers of the valid rows with values[i] OP bound, ascending; returns how many. Same room as
 * select_indices, same order of doubles as compare_f64. */
KERNEL(select_i64, size_t,
       (enum oriel_compare op, const int64_t *restrict values, const uint64_t *restrict valid,
        size_t count, int64_t bound, uint32_t *restrict indices))
KERNEL(select_f64, size_t,
       (enum oriel_compare op, const double *restrict values, const uint64_t *restrict valid,
        size_t count, double bound, uint32_t *restrict indices))
