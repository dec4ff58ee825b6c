/* A program with several NVTX domains on one thread, as independent libraries create them, and with forked children
 * that use the domains and strings of their parent. Usage: domains cross|ladder|fork|forks [N]. NVTX_ENTRY names the
 * function that NVTX looks up in the tool. Prints the events that the recording must hold. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/doubles/nvtx.h"

typedef struct attributes { /* nvtxEventAttributes_t */
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
} attributes;

static int nvtx_begin(void)
{
    const char *entry = getenv("NVTX_ENTRY");
    return nvtx_load(entry ? entry : "InitializeInjectionNvtx2") && core2[4] && core2[5];
}

static const void *domain(const char *name) { return ((const void *(*)(const char *))core2[12])(name); }
static const void *registered(const void *d, const char *s)
{
    return ((const void *(*)(const void *, const char *))core2[10])(d, s);
}
static void push(const void *d, int type, const void *message)
{
    const attributes a = {.version = 3, .size = sizeof a, .message_type = type, .message = message};
    ((int (*)(const void *, const void *))core2[4])(d, &a);
}
static int pop(const void *d) { return ((int (*)(const void *))core2[5])(d); }

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void nap_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

enum { ASCII = 1, REGISTERED = 3 };

/* Ranges of two domains cross: A begins, B begins, A ends, B ends. Ranges without a domain lie inside both. */
static void cross(void)
{
    const void *a = domain("A"), *b = domain("B");
    int64_t t[4];
    push(NULL, ASCII, "around");
    t[0] = now(), push(a, ASCII, "first");
    nap_ms(20);
    t[1] = now(), push(b, ASCII, "second");
    push(NULL, ASCII, "inside");
    nap_ms(20);
    t[2] = now(), pop(a);
    nap_ms(40);
    pop(NULL);
    t[3] = now(), pop(b);
    int none = pop(a);
    push(a, ASCII, "again");
    pop(a);
    pop(NULL);
    printf("A:first %lld\nB:second %lld\ninside %lld\nnone %d\n", (long long)(t[2] - t[0]), (long long)(t[3] - t[1]),
           (long long)(t[3] - t[1]), none);
}

/* A range of one domain always ends inside a range of the other; no open range may pile up. */
static void ladder(void)
{
    const void *a = domain("A"), *b = domain("B");
    enum { TIMES = 5000 };
    push(a, ASCII, "a");
    for (int i = 0; i < TIMES; i++) {
        push(b, ASCII, "b");
        pop(a);
        push(a, ASCII, "a");
        pop(b);
    }
    pop(a);
    printf("A:a %d\nB:b %d\n", TIMES + 1, TIMES);
}

static _Noreturn void say_as_child(const void *d, const void *handle)
{
    push(d, ASCII, "of the child");
    push(d, REGISTERED, handle);
    pop(d);
    pop(d);
    exit(0);
}

static void child_of(const void *d, const void *handle)
{
    pid_t p = fork();
    if (!p) say_as_child(d, handle);
    waitpid(p, NULL, 0);
}

/* Forked children without exec use the parent's registered strings and domain handles. */
static void forked(void)
{
    const void *d = domain("library");
    const void *before[50];
    char name[40];
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "registered %d", i);
        before[i] = registered(d, name);
    }
    child_of(d, before[7]);
    child_of(d, before[42]);
}

/* Fork many children that record two events each, a few at a time to spare the machine. */
static void many_forks(int n)
{
    const void *d = domain("library"), *handle = registered(d, "registered");
    enum { AT_ONCE = 8 };
    int running = 0;
    for (int i = 0; i < n; i++) {
        pid_t p = fork();
        if (!p) say_as_child(d, handle);
        if (p < 0) {
            perror("fork");
            exit(1);
        }
        if (++running == AT_ONCE && wait(NULL) > 0) running--;
    }
    while (wait(NULL) > 0) {}
    printf("children %d\n", n);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "cross";
    if (!nvtx_begin()) return puts("nobody listens"), 3;
    if (!strcmp(mode, "cross")) cross();
    if (!strcmp(mode, "ladder")) ladder();
    if (!strcmp(mode, "fork")) forked();
    if (!strcmp(mode, "forks")) many_forks(argc > 2 ? (int)strtol(argv[2], NULL, 10) : 50);
    return 0;
}
