/* Marks what the library exports; everything else is hidden. */
#pragma once

#if defined(__GNUC__)
#define ORIEL_API __attribute__((visibility("default")))
#define ORIEL_MUST_USE __attribute__((warn_unused_result))
#else
#define ORIEL_API
#define ORIEL_MUST_USE
#endif

#ifdef __cplusplus
#define ORIEL_BEGIN_DECLS extern "C" {
#define ORIEL_END_DECLS }
#else
#define ORIEL_BEGIN_DECLS
#define ORIEL_END_DECLS
#endif
