/* parser/chrome/ascend_dialect.h - what the traces of Ascend's profilers spell differently: trace_view.json of
 * torch_npu, msprof_*.json, and the *timeline_display*.json of MindInsight. Private to the reader.
 *
 * Their slices have no category. The arguments of most tell what they are, which is found while an event is read. The
 * others are told by the name of their process, which may stand anywhere in the text: they are slices of an unknown
 * kind until tt_ascend_settle(). MindInsight's files name nothing and have fixed numbers for processes and threads. */
#ifndef TT_PARSER_CHROME_ASCEND_DIALECT_H
#define TT_PARSER_CHROME_ASCEND_DIALECT_H

#include "parser/chrome/document.h"
#include "parser/chrome/reader.h"

/* Does the beginning of a document say that one of these profilers wrote it? Then *d is filled. */
bool tt_ascend_sniff(const char *text, size_t len, tt_dialect *d);
/* The dialect of a folder's events, whose reader knows it: sure whatever the text looks like. */
void tt_ascend_folder(const tt_chrome_folder *folder, const char *text, size_t len, tt_dialect *d);

/* Local category and kind of a slice without a category of its own; OTHER while it is not known. */
uint8_t tt_ascend_category(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind *kind);
/* What a slice has besides: the name that tables call it by, ids, and what is known of it on its device. */
void tt_ascend_slice(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind kind, tt_slice_in *s, tt_device_in *device);
/* Shapes, types and stack, which are texts with a line each, as other traces have them. */
uint32_t tt_ascend_op(tt_chrome_parser *w, const tt_chrome_event *e);
/* Flows between a launch and its work, and those from an operator to its work. */
bool tt_ascend_launch_flow(const char *cat, size_t len);
bool tt_ascend_work_flow(const char *cat, size_t len);

/* Give the slices that are still unknown the kind that their process and thread tell. Again for a preview and at the
 * end: what has been settled stays. */
void tt_ascend_settle(tt_builder *const *builders, unsigned n);

#endif
