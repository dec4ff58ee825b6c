/* tui/output/paddle_perf.c - Paddle's Perf Summary.
 *
 * The frame is Paddle's own (python/paddle/profiler/timer.py as its users see it): a title of 100 columns, cells of 15.
 * Paddle writes five decimals whatever the size, which leaves one digit of a step of 20 microseconds; here a cell has
 * five decimals and as many more as four digits need. */
#include "tui/output/paddle_perf.h"

#include <math.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/overview/columns.h"

enum { TITLE_WIDTH = 100, CELL_WIDTH = 15, LEAST_DECIMALS = 5, DIGITS = 4, MOST_DECIMALS = 12 };

static void put_centred(FILE *f, const char *text, int width, char fill)
{
    /* as Python's str.center(): the odd blank stands on the left where the width is odd, else on the right */
    int n = (int)strlen(text), pad = width > n ? width - n : 0, left = pad / 2 + (pad & width & 1);
    for (int i = 0; i < left; i++) fputc(fill, f);
    fputs(text, f);
    for (int i = 0; i < pad - left; i++) fputc(fill, f);
}

static void put_cells(FILE *f, const char *const text[4])
{
    for (int i = 0; i < 4; i++) {
        fputs(i ? " | " : "| ", f);
        put_centred(f, text[i], CELL_WIDTH, ' ');
    }
    fputs(" |\n", f);
}

static void number_text(char *out, size_t cap, double v)
{
    int decimals = LEAST_DECIMALS;
    if (v > 0 && isfinite(v)) {
        int lead = (int)floor(log10(v));
        if (DIGITS - 1 - lead > decimals) decimals = DIGITS - 1 - lead;
    }
    snprintf(out, cap, "%.*f", decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS, v);
}

bool tt_out_paddle_perf(FILE *f, const tt_table *t)
{
    static const char *const head[] = {"", "avg", "max", "min"};
    static const uint32_t stat[3] = {TT_THROUGHPUT_MEAN, TT_THROUGHPUT_MAX, TT_THROUGHPUT_MIN};
    if (!t->n_rows) return false;
    const char *ips = "steps/s";
    put_centred(f, "Perf Summary", TITLE_WIDTH, '=');
    fputc('\n', f);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double pct = tt_cell_d(t, r, TT_THROUGHPUT_READER_RATIO_PCT);
        if (pct > 0) fprintf(f, "Reader Ratio: %.3f%%\n", pct);
        if (!strcmp(tt_cell_s(t, r, TT_THROUGHPUT_NAME), "ips")) ips = tt_cell_s(t, r, TT_THROUGHPUT_UNIT);
    }
    fprintf(f, "Time Unit: s, IPS Unit: %s\n", ips);
    put_cells(f, head);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        char text[3][40];
        const char *cells[4] = {tt_cell_s(t, r, TT_THROUGHPUT_NAME), text[0], text[1], text[2]};
        for (int i = 0; i < 3; i++) number_text(text[i], sizeof text[i], tt_cell_d(t, r, stat[i]));
        put_cells(f, cells);
    }
    fputs("\n\n", f);
    return true;
}
