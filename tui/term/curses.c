/* tui/term/curses.c - the terminal through curses; the only file that includes curses.
 *
 * Curses does what it is good at: terminfo, sending only changes, decoding keys. This file adds what curses lacks:
 * button motion, bracketed paste, synchronized output, OSC sequences, both forms of arrow keys, and giving the
 * terminal back in a crash. */
#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "model/base/mem.h"
#include "tui/files/outfile_part.h"
#include "tui/files/signals.h"
#include "tui/term/term.h"

#include <curses.h> /* last: curses defines many short names as macros */
#include <term.h>

enum { PAIR_SLOTS = 8192, OWN_KEYS = 0x2000, SYNC_YES = 0x3000, SYNC_NO };

typedef struct pair_slot {
    int32_t fg, bg;
    int pair; /* 0 = free */
} pair_slot;

struct tt_term {
    SCREEN *screen;
    FILE *in;    /* closed by us unless it is stdin */
    FILE *drawn; /* stream to which curses writes: the terminal, or memory while a frame is made */
    /* descriptor of the memory that takes a whole frame; -1 = frames go to the terminal piece by piece */
    int frame;
    char *bytes; /* bytes of the frame */
    size_t n_bytes;
    int fd, out;
    const char *type;    /* terminal type used instead of TERM's; NULL = TERM's */
    tt_level level, has; /* level: colours used; has: colours that the terminal has */
    bool ascii, gone, sync, mouse, extras;
    pair_slot *pairs;
    int n_pairs;
    tt_cellc *last; /* cells that the terminal shows */
    int last_h, last_w;
    const tt_theme *last_theme;
    tt_ink inks[1 << 16]; /* inks by style, filled in when a style is first used */
    uint8_t known[(1 << 16) / 8];
    bool pressed;
    int64_t press_ms;
    int press_y, press_x;
    struct termios saved;
    char restore[256]; /* bytes that give the terminal back, for the crash handler */
    size_t n_restore;
};

static tt_term *live; /* the open terminal, for the crash handler */

/* ---- giving the terminal back ---- */

static const char off_sequences[] = "\033[?2026l\033[?1002l\033[?1006l\033[?1000l\033[?2004l";

/* Redirect later writes of the drawing thread to nowhere: it may be taking the screen or sending a frame when
 * another thread ends the program. Returns a descriptor of the terminal; -1 = there is none. */
static int take_from_drawing(tt_term *t)
{
    int terminal = fcntl(t->out, F_DUPFD_CLOEXEC, 0), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (terminal >= 0 && nowhere >= 0) {
        (void)dup2(nowhere, t->out);
        if (t->drawn != stdout) (void)dup2(nowhere, fileno(t->drawn));
    }
    return terminal;
}

static void emergency(void)
{
    tt_term *t = live;
    tt_parts_remove();
    if (!t) return;
    live = NULL;
    int out = take_from_drawing(t);
    if (write(out < 0 ? t->out : out, t->restore, t->n_restore) < 0) return; /* the terminal is gone */
    tcsetattr(t->fd, TCSANOW, &t->saved);
}

static void on_crash(int sig)
{
    emergency();
    tt_signal_die(sig);
}

/* End the program on a signal. A frame may be on its way to a terminal that takes no bytes, so nothing here may wait
 * for the terminal. */
static void on_end(int sig)
{
    int fd = live ? fcntl(live->out, F_DUPFD_CLOEXEC, 0) : -1, flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    if (fd >= 0) tcflush(fd, TCOFLUSH);
    emergency();
    if (flags >= 0) fcntl(fd, F_SETFL, flags); /* the shell shares these flags */
    _exit(128 + sig);
}

static void add_restore(tt_term *t, const char *s)
{
    size_t n = s && s != (char *)-1 ? strlen(s) : 0;
    if (t->n_restore + n > sizeof t->restore) return;
    memcpy(t->restore + t->n_restore, s ? s : "", n);
    t->n_restore += n;
}

/* Install the crash handler before curses takes the screen: without memory curses ends the program itself, or
 * crashes. */
static void install_crash_handler(tt_term *t)
{
    int error;
    if (setupterm(t->type, t->out, &error) != OK) return; /* then initscr will fail, too */
    add_restore(t, off_sequences);
    add_restore(t, tigetstr("sgr0"));
    add_restore(t, tigetstr("rmkx"));
    add_restore(t, tigetstr("cnorm"));
    add_restore(t, tigetstr("rmcup"));
    add_restore(t, "\r\n");
    del_curterm(cur_term);
    live = t;
    (void)atexit(emergency); /* does nothing once the terminal has been given back */
    tt_signals_take(TT_SIGNALS_END, on_end, 0, false);
    signal(SIGPIPE, SIG_IGN); /* a terminal that is gone is noticed when writing to it */
    tt_signals_take(TT_SIGNALS_CRASH, on_crash, (int)(SA_RESETHAND | SA_NODEFER), false);
    tt_parts_begin(); /* a file at its size limit must give a write error */
    tt_mem_set_oom(emergency);
}

/* ---- opening ---- */

static const struct {
    const char *bytes;
    tt_key key;
} extra_keys[] = {
    {"\033[A", TT_KEY_UP},
    {"\033[B", TT_KEY_DOWN},
    {"\033[C", TT_KEY_RIGHT},
    {"\033[D", TT_KEY_LEFT},
    {"\033OA", TT_KEY_UP},
    {"\033OB", TT_KEY_DOWN},
    {"\033OC", TT_KEY_RIGHT},
    {"\033OD", TT_KEY_LEFT},
    {"\033[H", TT_KEY_HOME},
    {"\033[F", TT_KEY_END},
    {"\033OH", TT_KEY_HOME},
    {"\033OF", TT_KEY_END},
    {"\033[1~", TT_KEY_HOME},
    {"\033[4~", TT_KEY_END},
    {"\033[7~", TT_KEY_HOME},
    {"\033[8~", TT_KEY_END},
    {"\033[5~", TT_KEY_PGUP},
    {"\033[6~", TT_KEY_PGDN},
    {"\033[3~", TT_KEY_DEL},
    {"\033[2~", TT_KEY_INS},
    {"\033[Z", TT_KEY_BTAB},
    {"\033OP", TT_KEY_F1},
    {"\033[11~", TT_KEY_F1},
    {"\033[1;5A", TT_KEY_UP | TT_MOD_CTRL},
    {"\033[1;5B", TT_KEY_DOWN | TT_MOD_CTRL},
    {"\033[1;5C", TT_KEY_RIGHT | TT_MOD_CTRL},
    {"\033[1;5D", TT_KEY_LEFT | TT_MOD_CTRL},
    {"\033[1;2A", TT_KEY_UP | TT_MOD_SHIFT},
    {"\033[1;2B", TT_KEY_DOWN | TT_MOD_SHIFT},
    {"\033[1;2C", TT_KEY_RIGHT | TT_MOD_SHIFT},
    {"\033[1;2D", TT_KEY_LEFT | TT_MOD_SHIFT},
    {"\033[1;3A", TT_KEY_UP | TT_MOD_ALT},
    {"\033[1;3B", TT_KEY_DOWN | TT_MOD_ALT},
    {"\033[1;3C", TT_KEY_RIGHT | TT_MOD_ALT},
    {"\033[1;3D", TT_KEY_LEFT | TT_MOD_ALT},
    {"\033[200~", TT_KEY_PASTE_BEGIN},
    {"\033[201~", TT_KEY_PASTE_END},
};
enum { N_EXTRA = sizeof extra_keys / sizeof *extra_keys };

static void send(tt_term *t, const char *s, size_t n)
{
    while (n) {
        ssize_t w = write(t->out, s, n);
        if (w < 0 && errno == EINTR) continue;
        if (w < 0 && errno == EAGAIN) {
            struct pollfd p = {.fd = t->out, .events = POLLOUT};
            poll(&p, 1, 100);
            continue;
        }
        if (w <= 0) return;
        s += w;
        n -= (size_t)w;
    }
}

static bool term_is(const char *prefix)
{
    const char *term = getenv("TERM");
    return term && strncmp(term, prefix, strlen(prefix)) == 0;
}

/* The terminal would print parts of escape sequences that it does not know. */
static bool is_plain(void)
{
    return term_is("linux") || term_is("vt") || term_is("dumb") || term_is("ansi") || term_is("cons");
}

static void modes_on(tt_term *t, bool query)
{
    if (!t->extras) return;
    send(t, "\033[?2004h", 8);
    if (t->mouse) send(t, "\033[?1002h", 8);
    if (query) send(t, "\033[?2026$p", 9);
}

/* The terminal type to use: NULL = TERM's; STAND_IN if the system has no description of TERM, because nearly all
 * terminals understand xterm's sequences. */
#define STAND_IN "xterm-256color"
static const char *known_type(int out)
{
    const char *term = getenv("TERM");
    int error;
    if (!term || !*term || is_plain()) return NULL;
    bool known = setupterm(NULL, out, &error) == OK;
    if (known) del_curterm(cur_term);
    return known ? NULL : STAND_IN;
}

/* Call newterm() for the colours wanted: direct colour needs a terminfo entry that has it. */
static SCREEN *open_screen(const char *type, const char *color, FILE *out, FILE *in)
{
    SCREEN *s = NULL;
    const char *term = getenv("TERM");
    if (color && strcmp(color, "truecolor") == 0 && term && !strstr(term, "direct")) {
        s = newterm(term_is("tmux") || term_is("screen") ? "tmux-direct" : "xterm-direct", out, in);
    }
    return s ? s : newterm(type, out, in);
}

static void set_up(tt_term *t, const tt_term_options *o)
{
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    meta(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    idlok(stdscr, TRUE); /* let the terminal move the lines of a list that scrolls */
    typeahead(-1);       /* send a frame whole, in few writes; keys are read before the next frame */
    curs_set(0);
    for (int i = 0; i < N_EXTRA; i++) define_key(extra_keys[i].bytes, OWN_KEYS + i);
    define_key("\033[?2026;1$y", SYNC_YES);
    define_key("\033[?2026;2$y", SYNC_YES);
    define_key("\033[?2026;0$y", SYNC_NO);
    define_key("\033[?2026;3$y", SYNC_NO);
    define_key("\033[?2026;4$y", SYNC_NO);
    int colors = has_colors() ? (start_color(), use_default_colors(), COLORS) : 0;
    t->level = tt_term_level(o->color, true, colors);
    if (t->level == TT_LEVEL_TRUE && colors <= 256) t->level = TT_LEVEL_256;
    if (t->level == TT_LEVEL_256 && colors < 256) t->level = colors >= 8 ? TT_LEVEL_8 : TT_LEVEL_MONO;
    if (t->level == TT_LEVEL_8 && colors < 8) t->level = TT_LEVEL_MONO;
    t->has = t->level;
    t->extras = !is_plain();
    t->mouse = !o->no_mouse && t->extras;
    if (t->mouse) {
        mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, NULL);
        mouseinterval(0);
    }
}

/* Let curses write frames to memory, and send each in one write. Curses writes a frame in dozens of pieces, and each
 * may cost this thread the processor on a busy machine. */
static void open_drawn(tt_term *t)
{
    int fd = fcntl(t->out, F_DUPFD_CLOEXEC, 0);
    t->frame = fd < 0 ? -1 : memfd_create("frame", MFD_CLOEXEC);
    t->drawn = fd < 0 ? NULL : fdopen(fd, "w");
    if (!t->drawn && fd >= 0) close(fd);
    if (!t->drawn && t->frame >= 0) close(t->frame);
    if (!t->drawn) t->frame = -1;
    if (!t->drawn) t->drawn = stdout;
}

static void release(tt_term *t)
{
    if (t->in != stdin) fclose(t->in);
    if (t->drawn != stdout) fclose(t->drawn);
    if (t->frame >= 0) close(t->frame);
    free(t->bytes);
    free(t->pairs);
    free(t->last);
    free(t);
}

tt_term *tt_term_open(const tt_term_options *o, bool ascii, tt_err *err)
{
    FILE *in = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
    if (!in) {
        tt_fail(err, TT_ERR_INPUT, -1, "no terminal to read keys from");
        return NULL;
    }
    tt_term *t = tt_calloc(1, sizeof *t);
    t->in = in;
    t->fd = fileno(in);
    t->out = STDOUT_FILENO;
    t->ascii = ascii;
    t->pairs = tt_calloc(PAIR_SLOTS, sizeof *t->pairs);
    tcgetattr(t->fd, &t->saved);
    set_escdelay(25);
    t->type = known_type(t->out);
    open_drawn(t);
    install_crash_handler(t);
    t->screen = open_screen(t->type, o->color, t->drawn, in);
    if (!t->screen) {
        live = NULL;
        const char *term = getenv("TERM");
        tt_fail(err, TT_ERR_INPUT, -1,
                t->type ? "the terminal type '%s' is not known here, nor is " STAND_IN
                          "; install the package ncurses-base (terminfo)"
                        : "the terminal type '%s' is not known here; try TERM=" STAND_IN,
                term ? term : "");
        release(t);
        return NULL;
    }
    set_term(t->screen);
    set_up(t, o);
    modes_on(t, true);
    return t;
}

const char *tt_term_stand_in(const tt_term *t) { return t->type; }

void tt_term_close(tt_term *t)
{
    if (!t) return;
    send(t, off_sequences, t->extras ? sizeof off_sequences - 1 : 0);
    endwin();
    live = NULL;
    tt_mem_set_oom(tt_parts_oom);
    delscreen(t->screen);
    release(t);
}

int tt_term_fd(const tt_term *t) { return t->fd; }
tt_level tt_term_colours(const tt_term *t) { return t->level; }
void tt_term_limit(tt_term *t, tt_level most)
{
    t->level = most < t->has ? most : t->has;
    memset(t->known, 0, sizeof t->known);
}

void tt_term_mouse(tt_term *t, bool on)
{
    if (on == t->mouse || !t->extras) return;
    t->mouse = on;
    mousemask(on ? ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION : 0, NULL);
    if (on) modes_on(t, false);
    if (!on) send(t, "\033[?1002l\033[?1006l\033[?1000l", 24);
}

bool tt_term_poor_font(const tt_term *t) { return (void)t, term_is("linux"); }
bool tt_term_gone(const tt_term *t) { return t->gone; }

void tt_term_size(tt_term *t, int *h, int *w)
{
    struct winsize ws;
    if (ioctl(t->out, TIOCGWINSZ, &ws) == 0 && ws.ws_row && ws.ws_col && (ws.ws_row != LINES || ws.ws_col != COLS)) {
        resizeterm(ws.ws_row, ws.ws_col);
    }
    *h = LINES;
    *w = COLS;
}

/* ---- keys ---- */

static bool mouse_event(tt_term *t, tt_mouse *m)
{
    MEVENT e;
    if (getmouse(&e) != OK) return false;
    *m = (tt_mouse){.y = e.y, .x = e.x};
    if (e.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        m->what = TT_MOUSE_WHEEL;
        m->wheel = e.bstate & BUTTON4_PRESSED ? -1 : 1;
        return true;
    }
    /* press and release at once come as a click */
    if (e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED)) {
        bool drag = t->pressed && (e.bstate & BUTTON1_PRESSED); /* motion is reported as a further press */
        bool twice = (e.bstate & BUTTON1_DOUBLE_CLICKED) ||
                     (e.y == t->press_y && e.x == t->press_x && tt_clock_ms() - t->press_ms < 400);
        m->what = drag ? TT_MOUSE_DRAG : twice ? TT_MOUSE_DOUBLE : TT_MOUSE_PRESS;
        t->pressed = (e.bstate & BUTTON1_PRESSED) != 0;
        t->press_ms = tt_clock_ms();
        t->press_y = e.y;
        t->press_x = e.x;
        return true;
    }
    if (e.bstate & BUTTON1_RELEASED) {
        m->what = TT_MOUSE_RELEASE;
        t->pressed = false;
        return true;
    }
    m->what = TT_MOUSE_DRAG; /* motion without a button, on some terminals */
    return t->pressed;
}

static tt_key named_key(wint_t c)
{
    switch (c) {
    case KEY_UP: return TT_KEY_UP;
    case KEY_DOWN: return TT_KEY_DOWN;
    case KEY_LEFT: return TT_KEY_LEFT;
    case KEY_RIGHT: return TT_KEY_RIGHT;
    case KEY_HOME: return TT_KEY_HOME;
    case KEY_END: return TT_KEY_END;
    case KEY_PPAGE: return TT_KEY_PGUP;
    case KEY_NPAGE: return TT_KEY_PGDN;
    case KEY_BTAB: return TT_KEY_BTAB;
    case KEY_BACKSPACE: return TT_KEY_BKSP;
    case KEY_DC: return TT_KEY_DEL;
    case KEY_IC: return TT_KEY_INS;
    case KEY_ENTER: return TT_KEY_ENTER;
    case KEY_SLEFT: return TT_KEY_LEFT | TT_MOD_SHIFT;
    case KEY_SRIGHT: return TT_KEY_RIGHT | TT_MOD_SHIFT;
    case KEY_SR: return TT_KEY_UP | TT_MOD_SHIFT;
    case KEY_SF: return TT_KEY_DOWN | TT_MOD_SHIFT;
    default: return c >= KEY_F(1) && c <= KEY_F(12) ? (tt_key)(TT_KEY_F1 + (c - KEY_F(1))) : TT_KEY_NONE;
    }
}

/* Skip the rest of an unknown escape sequence, so that its letters are not taken for keys. */
static tt_key after_escape(void)
{
    wint_t c;
    if (wget_wch(stdscr, &c) == ERR) return TT_KEY_ESC;
    if (c != '[') {
        unget_wch((wchar_t)c);
        return TT_KEY_ESC;
    }
    for (int i = 0; i < 32 && wget_wch(stdscr, &c) != ERR && !(c >= 0x40 && c <= 0x7e); i++) {}
    return TT_KEY_NONE;
}

static void check_gone(tt_term *t)
{
    struct pollfd p = {.fd = t->fd, .events = POLLIN};
    int n = 0;
    if (poll(&p, 1, 0) <= 0) return;
    if (p.revents & (POLLHUP | POLLERR | POLLNVAL)) t->gone = true;
    if ((p.revents & POLLIN) && ioctl(t->fd, FIONREAD, &n) == 0 && n == 0) t->gone = true;
}

tt_key tt_term_key(tt_term *t, tt_mouse *mouse)
{
    for (;;) {
        wint_t c;
        int got = wget_wch(stdscr, &c);
        tt_key k = TT_KEY_NONE;
        if (got == ERR) {
            check_gone(t);
            return TT_KEY_NONE;
        }
        if (got == OK) {
            k = c == 27 ? after_escape() : (tt_key)c;
        } else if (c == SYNC_YES || c == SYNC_NO) {
            t->sync = c == SYNC_YES;
        } else if (c >= OWN_KEYS && c < OWN_KEYS + N_EXTRA) {
            k = extra_keys[c - OWN_KEYS].key;
        } else if (c == KEY_MOUSE) {
            if (mouse_event(t, mouse)) k = TT_KEY_MOUSE;
        } else {
            k = named_key(c);
        }
        if (k != TT_KEY_NONE) return k;
    }
}

/* ---- frames ---- */

bool tt_term_writable(const tt_term *t)
{
    struct pollfd p = {.fd = t->out, .events = POLLOUT};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLOUT);
}

static int pair_of(tt_term *t, int32_t fg, int32_t bg)
{
    if (fg < 0 && bg < 0) return 0;
    uint32_t at = ((uint32_t)fg * 2654435761u ^ (uint32_t)bg * 40503u) % PAIR_SLOTS;
    while (t->pairs[at].pair && (t->pairs[at].fg != fg || t->pairs[at].bg != bg)) at = (at + 1) % PAIR_SLOTS;
    pair_slot *s = &t->pairs[at];
    if (!s->pair) {
        if (t->n_pairs + 1 >= COLOR_PAIRS || t->n_pairs >= PAIR_SLOTS / 2) return 0;
        if (init_extended_pair(t->n_pairs + 1, fg, bg) == ERR) return 0;
        *s = (pair_slot){fg, bg, ++t->n_pairs};
    }
    return s->pair;
}

static const tt_ink *ink_of(tt_term *t, const tt_theme *theme, tt_style st)
{
    if (!(t->known[st >> 3] >> (st & 7) & 1)) {
        t->known[st >> 3] |= (uint8_t)(1 << (st & 7));
        t->inks[st] = tt_theme_ink(theme, t->level, st);
    }
    return &t->inks[st];
}

static void put_cell(tt_term *t, const tt_theme *theme, int y, int x, const tt_cellc *c)
{
    const tt_ink *ink = ink_of(t, theme, c->style);
    attr_t attr = A_NORMAL;
    if (ink->bold) attr |= A_BOLD;
    if (ink->dim) attr |= A_DIM;
    if (ink->underline) attr |= A_UNDERLINE;
    if (ink->reverse) attr |= A_REVERSE;
    wchar_t text[3] = {(wchar_t)c->ch, (wchar_t)c->mark, 0};
    int pair = pair_of(t, ink->fg, ink->bg);
    cchar_t cc;
    setcchar(&cc, text, attr, 0, &pair);
    mvadd_wch(y, x, &cc);
}

void tt_term_redraw(tt_term *t)
{
    free(t->last);
    t->last = NULL;
    clearok(curscr, TRUE);
}

/* Collect what curses writes in memory; false: it goes to the terminal at once. */
static bool collect(tt_term *t) { return t->frame >= 0 && dup3(t->frame, fileno(t->drawn), O_CLOEXEC) >= 0; }

static void send_collected(tt_term *t)
{
    off_t n = lseek(t->frame, 0, SEEK_CUR);
    dup3(t->out, fileno(t->drawn), O_CLOEXEC);
    lseek(t->frame, 0, SEEK_SET);
    if (n <= 0) return;
    if ((size_t)n > t->n_bytes) t->bytes = tt_realloc(t->bytes, t->n_bytes = 2 * (size_t)n, 1);
    if (pread(t->frame, t->bytes, (size_t)n, 0) == n) send(t, t->bytes, (size_t)n);
}

void tt_term_present(tt_term *t, const tt_canvas *c, const tt_theme *theme)
{
    size_t n = (size_t)c->h * (size_t)c->w;
    bool all = !t->last || t->last_h != c->h || t->last_w != c->w || t->last_theme != theme;
    if (all) {
        memset(t->known, 0, sizeof t->known);
        t->last = tt_realloc(t->last, n, sizeof *t->last);
        t->last_h = c->h;
        t->last_w = c->w;
        t->last_theme = theme;
        werase(stdscr);
    }
    for (int y = 0; y < c->h; y++) {
        const tt_cellc *row = c->cells + (size_t)y * (size_t)c->stride;
        tt_cellc *old = t->last + (size_t)y * (size_t)c->w;
        for (int x = 0; x < c->w; x++) {
            bool same = !all && row[x].ch == old[x].ch && row[x].style == old[x].style && row[x].mark == old[x].mark;
            old[x] = row[x];
            if (!same && row[x].ch) put_cell(t, theme, y, x, &row[x]);
        }
    }
    bool cursor = c->cur_y >= 0, whole = collect(t);
    curs_set(cursor);
    if (cursor) wmove(stdscr, c->cur_y, c->cur_x);
    leaveok(stdscr, !cursor);
    wnoutrefresh(stdscr);
    sigset_t ends, old;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_UNBLOCK, &ends,
                    &old); /* else they would wait in the signalfd of an event loop that waits for the terminal */
    if (t->sync) send(t, "\033[?2026h", 8);
    doupdate();
    if (whole) send_collected(t);
    if (t->sync) send(t, "\033[?2026l", 8);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- the rest ---- */

void tt_term_resume(tt_term *t)
{
    reset_prog_mode();
    modes_on(t, false);
    tt_term_redraw(t);
}

void tt_term_suspend(tt_term *t)
{
    sigset_t stop, old;
    struct sigaction dfl = {.sa_handler = SIG_DFL}, was;
    send(t, off_sequences, t->extras ? sizeof off_sequences - 1 : 0);
    endwin();
    sigaction(SIGTSTP, &dfl, &was);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &old);
    kill(0, SIGTSTP); /* the process stops here until SIGCONT */
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    sigaction(SIGTSTP, &was, NULL);
    tt_term_resume(t);
    wrefresh(curscr);
    if (t->mouse) mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, NULL);
}

int tt_term_run(tt_term *t, const char *name, const tt_argument *arguments, size_t n, tt_err *err)
{
    pid_t child;
    int status = 0;
    const tt_program program = {.name = name,
                                .arguments = arguments,
                                .n_arguments = n,
                                .descriptors = {fileno(t->in), t->out, STDERR_FILENO, -1}};
    send(t, off_sequences, t->extras ? sizeof off_sequences - 1 : 0);
    endwin();
    bool started = tt_program_start(&program, &child, err) == TT_OK;
    while (started && (waitpid(child, &status, WUNTRACED) < 0 ? errno == EINTR : WIFSTOPPED(status))) {
        if (WIFSTOPPED(status)) raise(SIGSTOP); /* the shell continues both processes */
        status = 0;
    }
    tt_term_resume(t);
    wrefresh(curscr);
    if (t->mouse) mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, NULL);
    return !started ? -1 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void tt_term_title(tt_term *t, const char *text)
{
    char line[128];
    int n = snprintf(line, sizeof line, "\033]2;%.100s\033\\", text);
    send(t, line, (size_t)n); /* sent to every terminal type: only tests ask for titles */
}

void tt_term_clipboard(tt_term *t, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(text), at = 0;
    if (!t->extras || n > 75000) return; /* terminals refuse more than about 100,000 bytes of base64 */
    char *out = tt_malloc(n / 3 * 4 + 32);
    memcpy(out, "\033]52;c;", 7);
    at = 7;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)(unsigned char)text[i] << 16;
        if (i + 1 < n) v |= (uint32_t)(unsigned char)text[i + 1] << 8;
        if (i + 2 < n) v |= (unsigned char)text[i + 2];
        out[at++] = digits[v >> 18];
        out[at++] = digits[v >> 12 & 63];
        out[at++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        out[at++] = i + 2 < n ? digits[v & 63] : '=';
    }
    memcpy(out + at, "\033\\", 2);
    send(t, out, at + 2);
    free(out);
}
