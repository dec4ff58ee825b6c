/* parser/chrome/ascend_dialect.h - the peculiarities of traces from Ascend's profilers: trace_view.json of torch_npu,
 * msprof_*.json, and the *timeline_display*.json of MindInsight. Private to the reader.
 *
 * Their slices have no category. For most the arguments tell the kind while an event is read. For the others the name
 * of their process does, which may stand anywhere in the text: they are slices of an unknown kind until
 * tt_ascend_settle(). MindInsight's files name nothing and use fixed numbers for processes and threads. */
#ifndef TT_PARSER_CHROME_ASCEND_DIALECT_H
#define TT_PARSER_CHROME_ASCEND_DIALECT_H

#include "parser/chrome/document.h"
#include "parser/chrome/reader.h"

/* Whether the beginning of a document shows one of these profilers as writer; fills *d then. */
bool tt_ascend_sniff(const char *text, size_t len, tt_dialect *d);
/* The dialect of a folder whose reader knows the writer: sure, whatever the text looks like. */
void tt_ascend_folder(const tt_chrome_folder *folder, const char *text, size_t len, tt_dialect *d);

/* Local category and kind of a slice without a category; *kind is OTHER while unknown. */
uint8_t tt_ascend_category(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind *kind);
/* Fill in the slice's name for tables, its ids, and the device members. */
void tt_ascend_slice(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind kind, tt_slice_in *s, tt_device_in *device);
/* Convert shapes, types and stack, which are texts with a line each, to the form of other traces. */
uint32_t tt_ascend_op(tt_chrome_parser *w, const tt_chrome_event *e);
/* Whether a flow's category links a launch to its work, or an operator to its work. */
bool tt_ascend_launch_flow(const char *cat, size_t len);
bool tt_ascend_work_flow(const char *cat, size_t len);

/* Give slices of unknown kind the kind that their process and thread tell. May be called again, for a preview and at
 * the end: settled slices stay as they are. */
void tt_ascend_settle(tt_builder *const *builders, unsigned n);

#endif
