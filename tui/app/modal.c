/* tui/app/modal.c - the stack of modals over the screen. */
#include "tui/app/modal.h"

#include "tui/app/app_api.h"
#include "tui/app/help.h"
#include "tui/app/prompt/find_anywhere.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/question.h"
#include "tui/app/runs/run_page.h"

/* One kind of modal. A member of NULL says that the modal has no such part. */
typedef struct tt_modal_ops {
    bool (*open)(const tt_app *a);
    bool (*key)(tt_app *a, tt_key k); /* false: the key goes to the modal below, in the end to the screen */
    void (*mouse)(tt_app *a, const tt_mouse *m);
    bool covers; /* draw() fills the body */
    void (*draw)(tt_app *a, tt_canvas *body);
    void (*draw_status)(const tt_app *a, tt_canvas *frame, int y);
    bool (*draw_keys)(const tt_app *a, tt_canvas *frame, int y); /* false: the bar of the modal below stays */
} tt_modal_ops;

/* Modals without targets to click: the wheel moves as the arrow keys do. */
static void scroll_by_wheel(tt_app *a, const tt_mouse *m)
{
    if (m->what == TT_MOUSE_WHEEL) tt_app_key(a, m->wheel < 0 ? TT_KEY_UP : TT_KEY_DOWN, NULL);
}

static bool question_open(const tt_app *a) { return a->question.open; }

static bool question_draw_keys(const tt_app *a, tt_canvas *frame, int y)
{
    (void)a;
    tt_put(frame, y, 1, TT_ROLE_DIM, "y: yes, every other key: no", frame->w - 2);
    return true;
}

static bool anywhere_open(const tt_app *a) { return a->anywhere; }

static bool anywhere_key(tt_app *a, tt_key k) { return tt_anywhere_key(a->anywhere, k); }

static void anywhere_draw(tt_app *a, tt_canvas *body) { tt_anywhere_draw(a->anywhere, body); }

static bool anywhere_draw_keys(const tt_app *a, tt_canvas *frame, int y)
{
    (void)a;
    tt_put_cut(frame, y, 1, TT_ROLE_DIM, "Enter: go there   Up Down: choose   Esc: close", frame->w - 2, TT_CUT_END);
    return true;
}

static bool prompt_open(const tt_app *a) { return a->prompt.kind != TT_PROMPT_NONE; }

static bool prompt_key(tt_app *a, tt_key k)
{
    tt_app_prompt_key(a, k);
    return true;
}

static void prompt_draw_status(const tt_app *a, tt_canvas *frame, int y)
{
    tt_prompt_draw(&a->prompt, frame, y);
    if (a->status[0]) tt_put_right(frame, y, frame->w / 2, frame->w / 2 - 1, TT_ROLE_WARN, a->status);
}

static bool prompt_draw_keys(const tt_app *a, tt_canvas *frame, int y)
{
    if (a->prompt.kind != TT_PROMPT_COMMAND) return false;
    tt_put_cut(frame, y, 1, TT_ROLE_DIM, a->candidates, frame->w - 2, TT_CUT_END);
    return true;
}

static bool picker_open(const tt_app *a) { return a->picker.title; }

static void picker_mouse(tt_app *a, const tt_mouse *m)
{
    scroll_by_wheel(a, m);
    if (m->what != TT_MOUSE_WHEEL) tt_picker_mouse(a, m);
}

static void picker_draw(tt_app *a, tt_canvas *body) { tt_picker_draw(&a->picker, body); }

static bool help_open(const tt_app *a) { return a->help.open; }

/* Help covers the run page, which gets no key meanwhile. */
static bool run_page_open(const tt_app *a) { return a->runs.open && !a->help.open; }

static bool run_page_draw_keys(const tt_app *a, tt_canvas *frame, int y)
{
    tt_run_page_draw_keys(a, frame, y);
    return true;
}

/* The highest first. A question takes no mouse: a click is no answer. */
static const tt_modal_ops modals[] = {
    {.open = question_open,
     .key = tt_app_question_key,
     .draw_status = tt_app_question_draw,
     .draw_keys = question_draw_keys},
    {.open = anywhere_open,
     .key = anywhere_key,
     .mouse = scroll_by_wheel,
     .draw = anywhere_draw,
     .draw_keys = anywhere_draw_keys},
    {.open = prompt_open,
     .key = prompt_key,
     .mouse = scroll_by_wheel,
     .draw_status = prompt_draw_status,
     .draw_keys = prompt_draw_keys},
    {.open = picker_open, .key = tt_picker_key, .mouse = picker_mouse, .draw = picker_draw},
    {.open = help_open, .key = tt_help_key, .mouse = scroll_by_wheel, .covers = true, .draw = tt_help_draw},
    {.open = run_page_open,
     .key = tt_run_page_key,
     .mouse = tt_run_page_mouse,
     .covers = true,
     .draw = tt_run_page_draw,
     .draw_keys = run_page_draw_keys},
};
enum { N_MODALS = sizeof modals / sizeof *modals };

bool tt_app_has_modal(const tt_app *a)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (modals[i].open(a)) return true;
    }
    return false;
}

bool tt_modal_key(tt_app *a, tt_key k)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (modals[i].open(a) && modals[i].key(a, k)) return true;
    }
    return false;
}

bool tt_modal_mouse(tt_app *a, const tt_mouse *m)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (!modals[i].open(a)) continue;
        if (modals[i].mouse) modals[i].mouse(a, m);
        return true;
    }
    return false;
}

bool tt_modal_covers(const tt_app *a)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (modals[i].covers && modals[i].open(a)) return true;
    }
    return false;
}

void tt_modal_draw(tt_app *a, tt_canvas *body)
{
    for (int i = N_MODALS; i-- > 0;) {
        if (modals[i].draw && modals[i].open(a)) modals[i].draw(a, body);
    }
}

bool tt_modal_draw_status(const tt_app *a, tt_canvas *frame, int y)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (!modals[i].draw_status || !modals[i].open(a)) continue;
        modals[i].draw_status(a, frame, y);
        return true;
    }
    return false;
}

bool tt_modal_draw_keys(const tt_app *a, tt_canvas *frame, int y)
{
    for (int i = 0; i < N_MODALS; i++) {
        if (modals[i].draw_keys && modals[i].open(a) && modals[i].draw_keys(a, frame, y)) return true;
    }
    return false;
}
