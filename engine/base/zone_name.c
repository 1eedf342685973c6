/*
 * Names of time zones. Flink takes a name when java.util.TimeZone and java.time.ZoneId mean the
 * same by it; ICU knows some more, which are refused here.
 */
#include "engine/base/zone_name.h"

#include <string.h>
#include <unicode/ucal.h>
#include <unicode/ustring.h>

enum { OFFSET_HOURS_MAX = 18 };

/* Known to ICU, refused by Flink: abbreviations that mean several zones, and names out of use. */
static const char *const refused_names[] = {
    "ACT",     "AET",
    "AGT",     "ART",
    "AST",     "BET",
    "BST",     "CAT",
    "CNT",     "CST",
    "CTT",     "EAT",
    "ECT",     "EST",
    "HST",     "IET",
    "IST",     "JST",
    "MIT",     "MST",
    "NET",     "NST",
    "PLT",     "PNT",
    "PRT",     "PST",
    "ROC",     "SST",
    "VST",     "Canada/East-Saskatchewan",
    "Factory", "US/Pacific-New",
};

static bool two_digits(const char *text, int32_t *out) {
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return false;
    *out = (text[0] - '0') * 10 + (text[1] - '0');
    return true;
}

bool oriel_zone_name_is_offset(const char *name, int32_t *offset_ms) {
    if (strcmp(name, "UTC") == 0 || strcmp(name, "GMT") == 0) {
        *offset_ms = 0;
        return true;
    }
    if (strncmp(name, "GMT", 3) != 0 || (name[3] != '+' && name[3] != '-'))
        return false;
    const char *text = name + 4;
    const size_t length = strlen(text);
    int32_t hours = 0, minutes = 0;
    if (length == 1 && *text >= '0' && *text <= '9')
        hours = *text - '0';
    else if ((length != 2 && length != 4 && length != 5) || !two_digits(text, &hours) ||
             (length == 4 && !two_digits(text + 2, &minutes)) ||
             (length == 5 && (text[2] != ':' || !two_digits(text + 3, &minutes))))
        return false;
    const int32_t total = hours * 60 + minutes;
    if (minutes > 59 || total > OFFSET_HOURS_MAX * 60)
        return false;
    *offset_ms = (name[3] == '-' ? -total : total) * 60000;
    return true;
}

bool oriel_zone_name_is_region(const char *name) {
    UChar id[ORIEL_ZONE_NAME_BYTES], canonical[ORIEL_ZONE_NAME_BYTES];
    UErrorCode code = U_ZERO_ERROR;
    UBool known = 0;
    int32_t length = 0;
    for (size_t i = 0; i < sizeof refused_names / sizeof *refused_names; i++) {
        if (strcmp(name, refused_names[i]) == 0)
            return false;
    }
    u_strFromUTF8(id, ORIEL_ZONE_NAME_BYTES, &length, name, -1, &code);
    ucal_getCanonicalTimeZoneID(id, length, canonical, ORIEL_ZONE_NAME_BYTES, &known, &code);
    return U_SUCCESS(code) && known;
}
