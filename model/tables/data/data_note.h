/* model/tables/data/data_note.h - note about what to record, without input pipeline data. */
#ifndef TT_MODEL_TABLES_DATA_DATA_NOTE_H
#define TT_MODEL_TABLES_DATA_DATA_NOTE_H

static const char tt_no_data_note[] = "No input pipeline. MindSpore records it: mindspore.Profiler(data_process=True), "
                                      "with a dataset of mindspore.dataset";

#endif
