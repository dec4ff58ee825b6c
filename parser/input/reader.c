/* parser/input/reader.c - see reader.h. */
#include "parser/input/reader.h"

#include <string.h>

void tt_read_note_at(tt_source *source, uint64_t base, tt_problems *problems)
{
    int64_t at;
    const char *damage = tt_source_damage(source, &at);
    tt_problem_kind kind = tt_source_damage_lost(source) ? TT_PROBLEM_BAD_COMPRESSION : TT_PROBLEM_TRAILING_DATA;
    if (damage) tt_problem_add(problems, kind, at + (int64_t)base, damage, strlen(damage));
    if (tt_source_changed(source)) tt_problem_add(problems, TT_PROBLEM_FILE_CHANGED, -1, "", 0);
}

void tt_read_note_cancelled(const tt_reader_progress *progress, uint64_t offset, tt_problems *problems)
{
    if (atomic_load(&progress->cancel)) tt_problem_add(problems, TT_PROBLEM_CANCELLED, (int64_t)offset, "", 0);
}

void tt_read_note(tt_source *source, tt_reader_progress *progress, uint64_t offset, tt_problems *problems)
{
    tt_read_note_at(source, 0, problems);
    tt_read_note_cancelled(progress, offset, problems);
}
