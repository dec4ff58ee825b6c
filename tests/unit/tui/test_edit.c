// tests/unit/tui/test_edit.c - finding the file of a Python frame, and passing file and line to editors.
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"
#include "tui/app/prompt/edit.h"
#include "tui/app/prompt/editor.h"

static void command(const char *editor, const char *want)
{
    tt_edit_command c;
    char got[512] = "";
    size_t n = 0;
    bool ok = tt_edit_command_make(&c, editor, "/a b/net.py", 31);
    if (ok) n = (size_t)snprintf(got, sizeof got, "<%s>", c.program);
    for (size_t i = 0; ok && i < c.n_arguments; i++) {
        const tt_argument *a = &c.arguments[i];
        CHECK(!a->text != !a->path); /* only the file is marked as a path */
        n += (size_t)snprintf(got + n, sizeof got - n, "<%s%s%s>", a->text ? a->text : "", a->path ? a->path : "",
                              a->tail ? a->tail : "");
    }
    CHECK(!strcmp(got, want));
    if (strcmp(got, want) != 0) fprintf(stderr, "    %s: %s\n", editor, got);
}

static void commands(void)
{
    char many[256] = "";
    command("vim", "<vim><+31></a b/net.py>");
    command("/usr/bin/nano -w", "</usr/bin/nano><-w><+31></a b/net.py>");
    command("emacsclient  -t ", "<emacsclient><-t><+31></a b/net.py>");
    command("code --wait", "<code><--wait><-g></a b/net.py:31>");
    command("/opt/bin/cursor", "</opt/bin/cursor><-g></a b/net.py:31>");
    command("subl -w", "<subl><-w></a b/net.py:31>");
    command("'/opt/my editor/vi' \"-c set nu\"", "</opt/my editor/vi><-c set nu><+31></a b/net.py>");
    command("vim; rm -rf x", "<vim;><rm><-rf><x><+31></a b/net.py>");
    command("", "");
    command("   ", "");
    for (size_t i = 0; i + 2 < 120; i += 2) memcpy(many + i, "x ", 3);
    command(many, "");
}

static bool found(const tt_source_maps *m, const char *frame, const char *folder, const char *want, long want_line)
{
    char path[TT_EDIT_PATH];
    long line = 0;
    bool ok = tt_source_find(m, frame, folder, path, sizeof path, &line);
    if (ok && (strcmp(path, want) != 0 || line != want_line)) fprintf(stderr, "    %s: %s %ld\n", frame, path, line);
    return ok && !strcmp(path, want) && line == want_line;
}

static void files(void)
{
    tt_source_maps m = {0};
    char path[TT_EDIT_PATH], map[600];
    long line;
    temp_begin();
    temp_file("src/net.py", "x", 1);
    temp_file("src/-c.py", "x", 1);
    const char *folder = temp_path("src"), *net = temp_path("src/net.py"), *dash = temp_path("src/-c.py");
    CHECK(found(&m, "net.py(12): forward", folder, net, 12));
    CHECK(found(&m, "-c.py(1): f", folder, dash, 1));
    CHECK(!found(&m, "far/net.py(12): forward", folder, net, 12));
    snprintf(map, sizeof map, "far/=%s/", folder);
    CHECK(tt_source_map(&m, map) && found(&m, "far/net.py(12): forward", folder, net, 12));
    CHECK(tt_source_map(&m, "far/=/nowhere/") && m.n == 1 && !found(&m, "far/net.py(12): forward", folder, net, 12));
    CHECK(!tt_source_map(&m, "no sign"));
    for (int i = 0; i < 20; i++) {
        snprintf(map, sizeof map, "%d=x", i);
        CHECK(tt_source_map(&m, map) == (i < TT_EDIT_MAPS - 1));
    }
    CHECK(!tt_source_find(&m, "/(3): f", "", path, sizeof path, &line));         /* path is a folder */
    CHECK(!tt_source_find(&m, "/dev/zero(3): f", "", path, sizeof path, &line)); /* path is no regular file */
    CHECK(!tt_source_find(&m, "a\033[2J.py(3): f", "", path, sizeof path, &line) && !*path);
    CHECK(!tt_source_find(&m, "a\xc2\x9b.py(3): f", "", path, sizeof path, &line) && !*path);
    CHECK(!tt_source_find(&m, "a\n.py(3): f", "", path, sizeof path, &line) && !*path);
    CHECK(!tt_source_find(&m, "<built-in method mm>", "", path, sizeof path, &line) && !*path);
    CHECK(chdir(folder) == 0 && found(&m, "-c.py(1): f", "/nowhere", "-c.py", 1));
    temp_end();
}

int main(void)
{
    commands();
    files();
    return check_done();
}
