/* test_keys.c - the action table: on each screen a key has one action, every key has a name, every action is
 * reachable. */
#include "tests/unit/check.h"
#include "tui/args/cli.h"
#include "tui/screen/actions.h"

#include <string.h>

static const tt_action_info *holder(tt_context c, tt_key k, const tt_action_info *but)
{
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        const tt_action_info *a = &tt_actions[i];
        if (a != but && a->context == c && tt_action_has_key(a, k)) return a;
    }
    return NULL;
}

static void test_no_clash(void)
{
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        const tt_action_info *a = &tt_actions[i];
        const char *s = a->keys;
        bool bad = false;
        int n = 0;
        for (tt_key k; (k = tt_key_next(&s, &bad)) != TT_KEY_NONE; n++) {
            const tt_context see[] = {a->context, tt_context_navigates(a->context) ? TT_CTX_NAVIGATE : a->context,
                                      tt_context_has_slices(a->context) ? TT_CTX_SLICES : a->context, TT_CTX_MOTION,
                                      TT_CTX_GLOBAL};
            for (size_t c = 0; c < sizeof see / sizeof *see; c++) {
                const tt_action_info *other = holder(see[c], k, a);
                if (!CHECK(!other)) {
                    char name[32];
                    tt_key_name(k, name, sizeof name);
                    fprintf(stderr, "    %s is bound to %s and %s\n", name, a->name, other->name);
                }
            }
            CHECK_INT(tt_action_of(a->context, k), a->action);
        }
        CHECK(!bad);
        if (!CHECK(n > 0)) fprintf(stderr, "    %s has no key\n", a->name);
        CHECK(a->help[0] && a->name[0]);
        CHECK_INT(tt_action_find(a->name), a->action);
    }
}

/* Where a screen takes keys before its tables do, every table action still has a key. */
static void test_lists(void)
{
    for (int c = 0; c < TT_CTX_COUNT_; c++) {
        if (!tt_context_lists((tt_context)c)) continue;
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            const tt_action_info *a = &tt_actions[i];
            if (a->context != TT_CTX_TABLE && a->context != (tt_context)c) continue;
            const char *s = a->keys;
            int left = 0;
            for (tt_key k; (k = tt_key_next(&s, NULL)) != TT_KEY_NONE;) {
                left += tt_action_keeps((tt_context)c, a, k);
                CHECK_INT(tt_action_keeps((tt_context)c, a, k), tt_action_of((tt_context)c, k) == a->action);
            }
            if (!CHECK(left > 0))
                fprintf(stderr, "    %s has no key in %s\n", a->name, tt_context_title((tt_context)c));
        }
    }
    CHECK_INT(tt_action_of(TT_CTX_COMPARE, 'X'), TT_ACT_COMPARE_SWAP);
    CHECK_INT(tt_action_of(TT_CTX_TABLE, 'X'), TT_ACT_COLUMNS);
    CHECK_INT(tt_action_of(TT_CTX_COMPARE, '|'), TT_ACT_COLUMNS);
    CHECK_INT(tt_action_of(TT_CTX_STEPS, 'X'), TT_ACT_NONE);
}

static void test_names(void)
{
    static const struct {
        const char *name;
        tt_key key;
    } keys[] = {
        {"w", 'w'},
        {"^C", 3},
        {"Space", ' '},
        {"Enter", 13},
        {"S-Tab", TT_KEY_BTAB},
        {"F1", TT_KEY_F1},
        {"F12", TT_KEY_F12},
        {"C-Right", TT_KEY_RIGHT | TT_MOD_CTRL},
        {"S-Left", TT_KEY_LEFT | TT_MOD_SHIFT},
        {"PgUp", TT_KEY_PGUP},
        {"\\", '\\'},
        {"M-x", 'x' | TT_MOD_ALT},
        {"-", '-'},
        {"^", '^'},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char name[32];
        CHECK_INT(tt_key_parse(keys[i].name, strlen(keys[i].name)), keys[i].key);
        tt_key_name(keys[i].key, name, sizeof name);
        CHECK_STR(name, keys[i].name);
    }
    CHECK_INT(tt_key_parse("\xc3\xa9", 2), 0xe9);
    CHECK_INT(tt_key_parse("F13", 3), TT_KEY_NONE);
    CHECK_INT(tt_key_parse("Nope", 4), TT_KEY_NONE);
    CHECK_INT(tt_key_parse("", 0), TT_KEY_NONE);
    bool bad = false;
    const char *list = "  j  Nope k";
    CHECK_INT(tt_key_next(&list, &bad), 'j');
    CHECK(!bad);
    CHECK_INT(tt_key_next(&list, &bad), TT_KEY_NONE);
    CHECK(bad);
}

/* Whatever an option of the explorer or of `summary` does, a command of the explorer can do, too. */
static void test_commands(void)
{
    static const char *const commands[] = {
#define X(name, args, function, values, help) name,
#include "tui/app/prompt/command_line.def"
#undef X
#define X(name, values, function, help) name,
#include "tui/app/prompt/settings.def"
#undef X
    };
    /* options about loading, about a program without a screen, one of the keys, or (window, step-source) about tables
     * alone */
    static const char *const others[] = {"style",      "size",        "no-mouse", "threads",     "help",
                                         "max-memory", "max-events",  "version",  "what-if",     "op-detail",
                                         "all-events", "nsys-export", "window",   "step-source", "graph-key",
                                         "fail-on",    "require-all"};
    for (int o = 0; o < TT_OPT_COUNT_; o++) {
        const tt_option_info *info = &tt_option_infos[o];
        const char *name = strcmp(info->name, "screen") ? info->name : "tab";
        bool found = !(info->commands & (1u << TT_CMD_EXPLORE | 1u << TT_CMD_SUMMARY));
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) found = found || !strcmp(commands[i], name);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) found = found || !strcmp(others[i], info->name);
        if (!found) fprintf(stderr, "--%s has no command\n", info->name);
        CHECK(found);
    }
}

static void test_order(void)
{
    CHECK_INT(tt_action_of(TT_CTX_TIMELINE, 'w'), TT_ACT_ZOOM_IN);
    CHECK_INT(tt_action_of(TT_CTX_PLOT, 'w'), TT_ACT_ZOOM_IN);
    CHECK_INT(tt_action_of(TT_CTX_FLAME, TT_KEY_BKSP), TT_ACT_ZOOM_OUT);
    CHECK_INT(tt_action_of(TT_CTX_TABLE, 'd'), TT_ACT_NONE);
    CHECK_INT(tt_action_of(TT_CTX_TABLE, '>'), TT_ACT_SORT_NEXT);
    CHECK_INT(tt_action_of(TT_CTX_TABLE, 'j'), TT_ACT_DOWN);
    CHECK_INT(tt_action_of(TT_CTX_MOTION, 'q'), TT_ACT_BACK_OR_QUIT);
    CHECK_INT(tt_action_of(TT_CTX_GLOBAL, '?'), TT_ACT_HELP);
}

/* Zooming in and out undo each other, and so do opposite directions; no other pair does. */
static void test_navigation(void)
{
    static const tt_action pairs[][2] = {{TT_ACT_ZOOM_IN, TT_ACT_ZOOM_OUT},
                                         {TT_ACT_ZOOM_IN_FAST, TT_ACT_ZOOM_OUT_FAST},
                                         {TT_ACT_PAN_LEFT, TT_ACT_PAN_RIGHT},
                                         {TT_ACT_PAN_SCREEN_LEFT, TT_ACT_PAN_SCREEN_RIGHT}};
    int moving = 0, a, b, c, d;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        bool zooms = tt_action_zooms(pairs[i][0], &a, &b);
        CHECK_INT(tt_action_pans(pairs[i][0]), -tt_action_pans(pairs[i][1]));
        CHECK(zooms != (tt_action_pans(pairs[i][0]) < 0));
        if (zooms) CHECK(tt_action_zooms(pairs[i][1], &c, &d) && a < b && a * c == b * d);
    }
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        bool moves = tt_action_zooms(tt_actions[i].action, &a, &b) || tt_action_pans(tt_actions[i].action);
        if (moves) CHECK_INT(tt_actions[i].context, TT_CTX_NAVIGATE);
        moving += moves;
    }
    CHECK_INT(moving, 8);
}

int main(void)
{
    test_no_clash();
    test_lists();
    test_names();
    test_order();
    test_commands();
    test_navigation();
    return check_done();
}
