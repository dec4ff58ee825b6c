/* model/tables/memory/snapshot_note.h - note about what to record, without a memory snapshot. */
#ifndef TT_MODEL_TABLES_MEMORY_SNAPSHOT_NOTE_H
#define TT_MODEL_TABLES_MEMORY_SNAPSHOT_NOTE_H

static const char tt_no_snapshot_note[] = "No memory snapshot: in PyTorch call _record_memory_history(), later "
                                          "_dump_snapshot(\"snapshot.pickle\"), both of the "
                                          "device's memory module";

#endif
