/* tui/timeline/screen/screen_layers.c - layers of host threads on the Timeline screen: the list, :layers, and a message
 * when a jump unfolds what hid its target. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/screen/screen.h"

static bool is_on(const tt_timeline *t, const tt_layer *l) { return !(t->layers.off >> l->band & 1); }

/* Remember the layers that the user chose. */
static void remember_layers(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    x->view = x->t->view;
    x->bands_off = x->t->layers.off;
    tt_timeline_screen_keep_write(s);
}

static void set_layer(tt_screen *s, const tt_layer *l, bool on)
{
    tt_view_show_layer(tt_timeline_screen_of(s)->t, l->band, on);
    tt_host_set_status(s->host, on ? "layer %s shown" : "layer %s hidden; L shows it", l->name);
    remember_layers(s);
}

static void layer_picked(tt_screen *s, int index)
{
    if (index < 0 || index >= TT_LAYERS) return;
    const tt_layer *l = &tt_layers[index];
    set_layer(s, l, !is_on(tt_timeline_screen_of(s)->t, l));
}

bool tt_timeline_screen_layers(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    char **items = tt_calloc(TT_LAYERS, sizeof *items), line[96];
    for (int i = 0; i < TT_LAYERS; i++) {
        const tt_layer *l = &tt_layers[i];
        snprintf(line, sizeof line, "%-6s  %-9s  %s", is_on(x->t, l) ? "shown" : "hidden", l->name, l->what);
        items[i] = tt_strdup(line);
    }
    tt_host_pick(s->host, "Layers of CPU threads: Enter shows or hides", items, TT_LAYERS, layer_picked);
    return true;
}

bool tt_timeline_screen_layer_command(tt_screen *s, const char *arg)
{
    char word[32];
    if (!*arg) return tt_timeline_screen_layers(s, 0);
    for (const char *p = arg; *(p += strspn(p, " ,"));) {
        size_t n = strcspn(p, " ,");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        p += n;
        char *value = strchr(word, '=');
        bool on = value && strcmp(value + 1, "on") == 0, off = value && strcmp(value + 1, "off") == 0;
        const tt_layer *found = NULL;
        if (value) *value = '\0';
        for (int i = 0; i < TT_LAYERS && (on || off); i++) {
            if (strcmp(tt_layers[i].name, word) == 0) found = &tt_layers[i];
        }
        if (!found) {
            tt_host_set_status(s->host, "layers: python=on|off operators=on|off runtime=on|off");
            return true;
        }
        set_layer(s, found, on);
    }
    return true;
}

void tt_timeline_screen_layers_said(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (x->view == TT_VIEW_BANDS && x->t->view == TT_VIEW_STACKS) {
        tt_host_set_status(s->host, "stacks unfolded to show the target; z folds them");
    } else if (x->bands_off & ~x->t->layers.off) {
        tt_host_set_status(s->host, "layer shown again for the target; L hides it");
    }
    x->view = x->t->view;
    x->bands_off = x->t->layers.off;
}
