/* test_walk.c - the walk through folders: order, links, skipped entries, limits. */
#include "parser/input/walk.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <limits.h>
#include <sys/socket.h>
#include <sys/un.h>

static void file(const char *path) { temp_file(path, "[]", 2); }
static void to(const char *target, const char *link) { CHECK_INT(symlink(target, temp_path(link)), 0); }
static bool wants(const char *name) { return strstr(name, ".json") != NULL; }

static void put(char *out, size_t cap, const char *text)
{
    size_t n = strlen(out);
    snprintf(out + n, cap - n, "%s%s", n ? " " : "", text);
}

/* Walk and write the visits to `out`: "below[names...]" for each folder, with '/' after folders and '@' after links. */
static tt_walk *walk(const char *root, const tt_walk_limits *limits, const char *skip, char *out, size_t cap)
{
    tt_walk *w = tt_walk_begin(temp_path(root), wants, limits, NULL);
    tt_walk_folder *f;
    *out = 0;
    while (tt_walk_next(w, &f)) {
        char names[600] = "", all[900];
        for (size_t i = 0; i < f->entries.n; i++) {
            tt_walk_entry *e = &f->entries.at[i];
            char one[300];
            snprintf(one, sizeof one, "%s%s%s", e->name, e->folder ? "/" : "", e->link ? "@" : "");
            put(names, sizeof names, one);
            e->skip = skip && !strcmp(e->name, skip);
        }
        snprintf(all, sizeof all, "%s[%s]", f->below, names);
        put(out, cap, all);
    }
    return w;
}

static char said_[4000];
static void say(void *arg, const char *line)
{
    (void)arg;
    put(said_, sizeof said_, line);
    put(said_, sizeof said_, "\n");
}

static const char *told(tt_walk *w)
{
    *said_ = 0;
    tt_walk_tell(w, say, NULL);
    tt_walk_end(w);
    return said_;
}

static char seen_[8000];

static void test_order(void)
{
    file("a/z/deep/er/4.json");
    file("a/b/3.json");
    file("a/z/2.json");
    file("a/1.json");
    file("a/.hidden/no.json");
    file("a/.no.json");
    tt_walk *w = walk("a", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "[1.json b/ z/] b[3.json] z[2.json deep/] z/deep[er/] z/deep/er[4.json]");
    CHECK_STR(told(w), "");
    w = walk("a", &tt_walk_whole, "z", seen_, sizeof seen_);
    CHECK_STR(seen_, "[1.json b/ z/] b[3.json]");
    CHECK_STR(told(w), ""); /* entries that the caller skips are not reported */
}

static void test_loops(void)
{
    file("l/sub/1.json");
    to(".", "l/dot");
    to("..", "l/sub/up");
    to("../sub", "l/sub/self");
    to("sub", "l/twin");
    to("loop2", "l/loop1");
    to("loop1", "l/loop2");
    to("nowhere", "l/dead.json");
    tt_walk *w = walk("l", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "[dot/@ sub/ twin/@] sub[1.json self/@ up/@]");
    CHECK_STR(told(w), "");
}

/* Folders come before links to folders; links lead into hidden or skipped folders, or to a name in the same folder. */
static void test_links_inside(void)
{
    file("i/.data/x/1.json");
    file("i/z/2.json");
    file("i/raw/3.json");
    to(".data/x", "i/a");
    to("../.data", "i/z/all");
    to("raw", "i/b");
    to("z/2.json", "i/4.json");
    to("5.json", "i/6.json");
    file("i/5.json");
    tt_walk *w = walk("i", &tt_walk_whole, "raw", seen_, sizeof seen_);
    CHECK_STR(seen_, "[4.json@ 5.json 6.json@ a/@ b/@ raw/ z/] z[2.json all/@] a[1.json] z/all[x/]");
    CHECK_STR(told(w), "");

    w = tt_walk_begin(temp_path("i"), wants, &tt_walk_whole, NULL);
    tt_walk_folder *f;
    CHECK(tt_walk_next(w, &f));
    CHECK_INT(f->entries.n, 7);
    if (f->entries.n == 7) {
        const tt_walk_entry *e = f->entries.at;
        CHECK(!e[0].alias && !e[0].away && e[0].bytes == 2); /* 4.json links into z */
        CHECK_STR(e[2].alias, "5.json");
        CHECK(e[1].ino == e[2].ino && !e[1].alias);
        CHECK(!e[3].alias && e[4].alias && !strcmp(e[4].alias, "raw"));
    }
    tt_walk_end(w);
}

static void test_links_out(void)
{
    file("o/in/1.json");
    file("out/2.json");
    file("o-beside/3.json"); /* its path begins with the named folder's path */
    to("../out", "o/far");
    to("../../o-beside", "o/in/beside");
    to("/", "o/root");
    to("../out/2.json", "o/4.json");
    to("../out/2.json", "o/notes.txt"); /* not reported, as nobody would open it */
    to("..", "o/up");
    tt_walk *w = walk("o", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "[in/] in[1.json]");
    CHECK_INT(tt_walk_over(w).out, 5);
    const char *words = told(w);
    CHECK(strstr(words, "5 links lead out of this folder") && strstr(words, "/o/4.json -> /") &&
          strstr(words, "/o/root -> /,") && strstr(words, " and 1 more"));

    to("o", "named"); /* the named folder may be a link */
    w = walk("named", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "[in/] in[1.json]");
    tt_walk_end(w);
}

static void test_special(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    file("s/1.json");
    CHECK_INT(mkfifo(temp_path("s/pipe.json"), 0600), 0);
    to("/dev/zero", "s/zero.json");
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", temp_path("s/socket.json"));
    CHECK_INT(bind(fd, (struct sockaddr *)(void *)&at, sizeof at), 0);
    close(fd);
    tt_walk *w = walk("s", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "[1.json]");
    CHECK_STR(told(w), "");
}

static void test_too_long(void)
{
    char name[201], here[PATH_MAX];
    memset(name, 'd', 200);
    name[200] = 0;
    file("t/1.json");
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_INT(chdir(temp_path("t")), 0);
    for (int i = 0; i < 25; i++) {
        CHECK_INT(mkdir(name, 0700), 0);
        CHECK_INT(chdir(name), 0);
    }
    CHECK_INT(chdir(here), 0);
    tt_walk *w = tt_walk_begin(temp_path("t"), wants, &tt_walk_whole, NULL);
    tt_walk_folder *f;
    size_t n = 0;
    while (tt_walk_next(w, &f)) n++;
    CHECK(n >= 19 && n <= 21);
    CHECK_INT(tt_walk_over(w).too_long, 1);
    CHECK(strstr(told(w), "longer than the system takes"));

    /* remove these folders here, since the cleanup cannot use paths of that length */
    CHECK_INT(chdir(temp_path("t")), 0);
    for (int i = 0; i < 25; i++) CHECK_INT(chdir(name), 0);
    for (int i = 0; i < 25; i++) CHECK(chdir("..") == 0 && rmdir(name) == 0);
    CHECK_INT(chdir(here), 0);
}

static void test_closed(void)
{
    file("c/1.json");
    file("c/no/2.json");
    CHECK_INT(chmod(temp_path("c/no"), 0), 0);
    tt_walk *w = walk("c", &tt_walk_whole, NULL, seen_, sizeof seen_);
    if (geteuid()) CHECK_STR(seen_, "[1.json no/]");
    CHECK_INT(tt_walk_over(w).closed, geteuid() ? 1 : 0);
    const char *words = told(w);
    CHECK(!geteuid() || strstr(words, "c/no: cannot be read: Permission denied"));
    CHECK_INT(chmod(temp_path("c/no"), 0700), 0);
    w = walk("c/nothing", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_STR(seen_, "");
    CHECK_INT(tt_walk_error(w), ENOENT);
    CHECK_STR(told(w), ""); /* the caller reports this error */
    w = walk("c/1.json", &tt_walk_whole, NULL, seen_, sizeof seen_);
    CHECK_INT(tt_walk_error(w), ENOTDIR);
    tt_walk_end(w);
}

static void stops(const tt_walk_limits *most, const char *visited, const char *why)
{
    tt_walk *w = walk("f", most, NULL, seen_, sizeof seen_);
    tt_walk_left left = tt_walk_over(w);
    CHECK_STR(seen_, visited);
    CHECK_STR(left.stopped ? left.stopped : "", why);
    CHECK(!*why || strstr(told(w), why));
    if (!*why) tt_walk_end(w);
}

/* A limit leaves out the deepest and last entries, whatever their order on the disk, and the walk reports it. */
static void test_limits(void)
{
    file("f/c/3.json");
    file("f/b/x/2.json");
    file("f/a/1.json");
    tt_walk_limits most = tt_walk_whole;
    stops(&most, "[a/ b/ c/] a[1.json] b[x/] c[3.json] b/x[2.json]", "");
    most.depth = 1;
    stops(&most, "[a/ b/ c/] a[1.json] b[x/] c[3.json]", "some levels down");
    most.depth = 0;
    stops(&most, "[a/ b/ c/]", "some levels down");
    most = tt_walk_whole;
    most.folders = 3;
    stops(&most, "[a/ b/ c/] a[1.json] b[x/]", "after many folders");
    most = tt_walk_whole;
    most.entries = 2;
    stops(&most, "[a/ b/]", "after many files");
    most.entries = 7;
    stops(&most, "[a/ b/ c/] a[1.json] b[x/] c[3.json] b/x[2.json]", "");
    most = tt_walk_whole;
    most.ms = 0;
    stops(&most, "", "as it took long");
    _Atomic bool stop = true;
    tt_walk *w = tt_walk_begin(temp_path("f"), wants, &tt_walk_whole, &stop);
    tt_walk_folder *f;
    CHECK(!tt_walk_next(w, &f) && tt_walk_ended(w));
    tt_walk_end(w);
}

/* Listing one folder follows every link and returns every name. */
static void test_flat(void)
{
    tt_walk_entries l = {0};
    tt_walk_names names = {0};
    CHECK(tt_walk_list(NULL, temp_path("o"), &l));
    CHECK_INT(l.n, 6);
    if (l.n == 6) CHECK(!strcmp(l.at[0].name, "4.json") && l.at[1].folder && !strcmp(l.at[5].name, "up"));
    tt_walk_entries_free(&l);
    CHECK(tt_walk_read(temp_path("a"), &names));
    CHECK_INT(names.n, 5);
    if (names.n == 5) CHECK(!strcmp(names.at[0], ".hidden") && !strcmp(names.at[1], ".no.json"));
    tt_walk_names_free(&names);
    CHECK(!tt_walk_read(temp_path("nothing"), &names) && errno == ENOENT);
    CHECK(!tt_walk_list(NULL, temp_path("a/1.json"), &l) && errno == ENOTDIR);
}

int main(void)
{
    temp_begin();
    test_order();
    test_loops();
    test_links_inside();
    test_links_out();
    test_special();
    test_too_long();
    test_closed();
    test_limits();
    test_flat();
    temp_end();
    return check_done();
}
