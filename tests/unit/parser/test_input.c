/* tests/unit/parser/test_input.c - inputs of several parts: files and archive entries, read at any place; folders whose
 * files have roles. */
#include <zlib.h>

#include "parser/discover/folder.h"
#include "parser/input/input.h"
#include "parser/source/archive.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

enum { LONG = 100000 };

static char text[LONG];

/* Write an archive that stores `text` as one file. */
static const char *tar_of(const char *file, const char *member)
{
    static char tar[512 + LONG + 4096];
    unsigned sum = 0;
    size_t n = 512 + (LONG + 511) / 512 * 512 + 1024;
    memset(tar, 0, sizeof tar);
    snprintf(tar, 100, "%s", member);
    snprintf(tar + 100, 8, "0000644");
    snprintf(tar + 124, 12, "%011o", LONG);
    snprintf(tar + 136, 12, "%011o", 0);
    tar[156] = '0';
    memcpy(tar + 257, "ustar\00000", 8);
    memset(tar + 148, ' ', 8);
    for (int i = 0; i < 512; i++) sum += (unsigned char)tar[i];
    snprintf(tar + 148, 8, "%06o", sum);
    memcpy(tar + 512, text, LONG);
    return temp_file(file, tar, n);
}

static const char *gzip_of(const char *name)
{
    const char *path = temp_path(name);
    gzFile f = gzopen(path, "wb");
    CHECK(f && gzwrite(f, text, LONG) == LONG);
    gzclose(f);
    return path;
}

static void check_places(tt_input *in, uint32_t part)
{
    static const uint64_t places[] = {LONG - 10, 0, 70000, 5, LONG, (uint64_t)1 << 40};
    tt_err err;
    uint64_t size = 0;
    char out[64];
    size_t got;
    CHECK_INT(tt_input_size(in, part, &size, &err), TT_OK);
    CHECK_INT(size, LONG);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t want = places[i] >= LONG ? 0 : LONG - places[i] < sizeof out ? LONG - places[i] : sizeof out;
        CHECK_INT(tt_input_read_at(in, part, places[i], out, sizeof out, &got, &err), TT_OK);
        CHECK_INT(got, want);
        CHECK(!memcmp(out, text + (want ? places[i] : 0), want));
    }
}

/* Read the part from front to back twice, then as the text of a trace. */
static void check_text(tt_input *in, const char *role)
{
    tt_source *source, *again;
    tt_err err;
    char out[4096];
    uint64_t done, total;
    CHECK_INT(tt_input_open(in, role, &source, &err), TT_OK);
    for (int turn = 0; turn < 2; turn++) {
        size_t n = 0, got = 1;
        while (got && tt_source_read(source, out, sizeof out, &got, &err) == TT_OK) {
            CHECK(!memcmp(out, text + n, got));
            n += got;
        }
        CHECK_INT(n, LONG);
        CHECK_INT(tt_input_open(in, role, &again, &err), TT_OK);
        CHECK(again == source);
    }
    CHECK_INT(tt_source_read(source, out, sizeof out, &(size_t){0}, &err), TT_OK);
    tt_input_position(in, &done, &total);
    CHECK(done > 0 && done <= total);
    tt_text_source *t = tt_input_text(in, source);
    CHECK_INT(t->read(t, 77777, out, 10), 10);
    CHECK(!memcmp(out, text + 77777, 10));
    t->close(t);
    uint64_t then = done;
    tt_input_position(in, &done, &total);
    CHECK(done >= then); /* progress does not go back */
}

static void test_folder(void)
{
    tt_input *in = tt_input_new("folder", NULL);
    tt_source *source;
    tt_err err;
    char tar[512];
    snprintf(tar, sizeof tar, "%s", tar_of("a.tar", "in/kernels.csv"));
    tt_archive *archive = tt_archive_open(tar);
    char member[600];
    snprintf(member, sizeof member, "%s/in/kernels.csv", tar);
    tt_input_add(in, "trace", temp_file("trace.json", text, LONG), NULL, NULL);
    tt_input_add(in, "kernels", member, archive, "in/kernels.csv");
    tt_input_add(in, "kernels", gzip_of("kernels_1.csv.gz"), NULL, NULL);
    tt_input_add(in, "missing", temp_path("nowhere.csv"), NULL, NULL);
    tt_archive_free(archive); /* the input keeps a reference */

    CHECK_INT(tt_input_parts(in), 4);
    CHECK_INT(tt_input_find(in, "kernels", 0), 1);
    CHECK_INT(tt_input_find(in, "kernels", 2), 2);
    CHECK_INT(tt_input_find(in, "steps", 0), 4);
    CHECK_STR(tt_input_part_role(in, 3), "missing");
    for (uint32_t part = 0; part < 3; part++) check_places(in, part); /* a file, an archive entry, a gzip file */
    check_text(in, "trace");
    check_text(in, "kernels");
    CHECK_INT(tt_input_open(in, "missing", &source, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "nowhere.csv: cannot be opened") != NULL);
    CHECK_INT(tt_input_open(in, "steps", &source, &err), TT_ERR_INPUT);
    CHECK_STR(err.message, "folder: has no file for 'steps'");
    tt_input_free(in);
}

static void test_match(void)
{
    int64_t n = -1;
    CHECK(tt_folder_match("lines_#.txt", "lines_12.txt", 12, &n) && n == 12);
    n = -1;
    CHECK(!tt_folder_match("lines_#.txt", "lines_.txt", 10, &n));
    CHECK(tt_folder_match("*_#_detail*.csv", "step_raw_3_7_detail_time.csv", 28, &n) && n == 7);
    n = -1;
    CHECK(tt_folder_match("a*", "a", 1, &n) && tt_folder_match("a*b*c", "axbxc", 5, &n) && n == -1);
    CHECK(!tt_folder_match("a*b", "abx", 3, &n) && !tt_folder_match("", "a", 1, &n));
    CHECK(tt_folder_match("x", "x.gz", 1, &n)); /* only the first `length` bytes of the name count */
}

static const tt_folder_part parts[] = {{"trace", "OUT/trace.json", false},
                                       {"steps", "steps_#.csv", false},
                                       {"notes", "notes_#.txt", true},
                                       {NULL, NULL, false}};
static const tt_folder_part other_parts[] = {{"any", "*.csv", false}, {NULL, NULL, false}};
static const tt_format formats[] = {{.info = {.id = "files"}, .names = NULL},
                                    {.info = {.id = "folder"}, .parts = parts},
                                    {.info = {.id = "other"}, .parts = other_parts}};

static void check_file(const tt_folder_files *l, size_t i, const char *folder, const char *name, int64_t number)
{
    if (!CHECK(i < l->n)) return;
    CHECK_STR(l->at[i].folder, folder);
    CHECK_STR(l->at[i].name, name);
    CHECK_INT(l->at[i].number, number);
    CHECK_STR(l->at[i].format->info.id, "folder");
}

static bool any_name(const char *name) { return name != NULL; }

static void of_directory(const char *path, unsigned n, tt_folder_files *out)
{
    tt_walk *w = tt_walk_begin(path, any_name, &tt_walk_whole, NULL);
    tt_walk_folder *f;
    if (CHECK(tt_walk_next(w, &f))) tt_folder_of_directory(formats, n, f, w, out);
    tt_walk_end(w);
}

static void test_roles(void)
{
    tt_folder_files l = {0};
    temp_file("run/OUT/trace.json.gz", "", 0);
    temp_file("run/OUT/other.json", "", 0);
    temp_file("run/steps_10.csv", "", 0);
    temp_file("run/steps_9.csv", "", 0);
    temp_file("run/.steps_8.csv", "", 0);
    temp_file("run/steps_7.csv/x", "", 0); /* a folder of that name */
    temp_file("run/below/steps_6.csv", "", 0);
    temp_file("run/notes_9.txt", "", 0);
    temp_file("other/notes_9.txt", "", 0); /* belongs to no known format */
    temp_file("other/a.csv", "", 0);
    of_directory(temp_path("run"), 3, &l);
    CHECK_INT(l.n, 4);
    check_file(&l, 0, "", "OUT/trace.json.gz", -1);
    check_file(&l, 1, "", "steps_9.csv", 9);
    check_file(&l, 2, "", "steps_10.csv", 10);
    check_file(&l, 3, "", "notes_9.txt", 9);
    tt_folder_free(&l);
    of_directory(temp_path("other"), 3, &l);
    CHECK_INT(l.n, 1);
    if (l.n) CHECK_STR(l.at[0].format->info.id, "other");
    tt_folder_free(&l);
    of_directory(temp_path("run"), 1, &l);
    CHECK_INT(l.n, 0);
    tt_folder_free(&l);

    static const char *const members[] = {"b/steps_2.csv", "b/OUT/trace.json",    "OUT/trace.json",
                                          "trace.json",    "b/c/steps_1.csv.zst", "b/OUT/",
                                          "other.csv",     "n/notes_1.txt",       "b/notes_2.txt"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) tt_folder_of_member(formats, 3, members[i], i, &l);
    tt_folder_sort(&l); /* the root belongs to the first format, and all other files lie below the root */
    CHECK_INT(l.n, 1);
    check_file(&l, 0, "", "OUT/trace.json", -1);
    tt_folder_free(&l);
    static const char *const deeper[] = {"b/steps_2.csv", "b/OUT/trace.json",    "a/b/steps_3.csv",
                                         "trace.json",    "b/c/steps_1.csv.zst", "b/d/e/other.csv",
                                         "b.c/other.csv", "n/notes_1.txt",       "b/notes_2.txt"};
    for (size_t i = 0; i < sizeof deeper / sizeof *deeper; i++) tt_folder_of_member(formats, 3, deeper[i], i, &l);
    tt_folder_sort(&l); /* the files in b belong to folder b */
    CHECK_INT(l.n, 5);
    check_file(&l, 0, "a/b", "steps_3.csv", 3);
    check_file(&l, 1, "b", "OUT/trace.json", -1);
    check_file(&l, 2, "b", "steps_2.csv", 2);
    check_file(&l, 3, "b", "notes_2.txt", 2);
    CHECK_STR(l.n > 4 ? l.at[4].folder : "", "b.c");
    CHECK_INT(l.n > 2 ? l.at[2].at : 99, 0);
    tt_folder_free(&l);
    CHECK(tt_folder_is_inner(formats, 3, "OUT"));
    CHECK(!tt_folder_is_inner(formats, 3, "OU") && !tt_folder_is_inner(formats, 3, "steps_1.csv"));
}

int main(void)
{
    for (size_t i = 0; i < LONG; i++) text[i] = (char)(' ' + (i * 7 + i / 251) % 90);
    temp_begin();
    test_folder();
    test_match();
    test_roles();
    temp_end();
    return check_done();
}
