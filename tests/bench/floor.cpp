// The reference that loading is compared with: simdjson alone. Reads ph, cat, name, ts, dur, pid, tid and
// args.correlation of every event as raw tokens, converts times exactly to nanoseconds, adds everything up, stores
// nothing.
//
//     floor FILE [THREADS]      prints {"seconds": s, "bytes": n, "events": n, "threads": n, "sum": "hex"}
//
// The file is cut into windows of 1 MiB at the first "{" that begins an array element with an event's key, so that
// windows are independent and their index stays in the cache. Plain JSON only; a cut inside a
// nested array of event-like objects is an error here, not a case to handle: this is a yardstick for known files.
#include <fcntl.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

using namespace simdjson;

namespace
{

constexpr size_t WINDOW = size_t(1) << 20;
constexpr size_t AHEAD = size_t(256) << 10;

struct sums {
    uint64_t events = 0, slices = 0, words = 0;
    int64_t ts = 0, dur = 0, correlation = 0;
};

[[noreturn]] void die(const char *what)
{
    std::fprintf(stderr, "floor: %s\n", what);
    std::exit(1);
}

bool blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// True when p[i] is the "{" of an array element whose first key belongs to a trace event.
bool starts_event(const char *p, size_t i, size_t n)
{
    if (p[i] != '{') return false;
    size_t before = i;
    while (before > 0 && blank(p[before - 1])) before--;
    if (before == 0 || (p[before - 1] != ',' && p[before - 1] != '[')) return false;
    size_t k = i + 1;
    while (k < n && blank(p[k])) k++;
    static const char *const keys[] = {"\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"ts\"", "\"tid\""};
    for (const char *key : keys) {
        size_t len = std::strlen(key);
        if (k + len <= n && std::memcmp(p + k, key, len) == 0) return true;
    }
    return false;
}

size_t first_event(const char *p, size_t from, size_t n)
{
    while (from < n) {
        const char *brace = static_cast<const char *>(std::memchr(p + from, '{', n - from));
        if (!brace) return n;
        from = size_t(brace - p);
        if (starts_event(p, from, n)) return from;
        from++;
    }
    return n;
}

// End of the events that start at p: the "]" that closes their array.
size_t array_end(const char *p, size_t n)
{
    int depth = 0;
    bool inside = false;
    for (size_t i = 0; i < n; i++) {
        if (inside) {
            if (p[i] == '\\')
                i++;
            else if (p[i] == '"')
                inside = false;
        } else if (p[i] == '"') {
            inside = true;
        } else if (p[i] == '{' || p[i] == '[') {
            depth++;
        } else if (p[i] == '}' || p[i] == ']') {
            if (depth-- == 0) return i;
        }
    }
    return n;
}

// Microseconds with any number of decimals, quoted or not, to nanoseconds, from the digits.
int64_t to_ns(std::string_view t)
{
    size_t i = t.size() && t[0] == '"';
    bool negative = i < t.size() && t[i] == '-';
    i += negative;
    int64_t v = 0;
    for (; i < t.size() && t[i] >= '0' && t[i] <= '9'; i++) v = v * 10 + (t[i] - '0');
    int decimals = 0;
    if (i < t.size() && t[i] == '.')
        for (i++; i < t.size() && t[i] >= '0' && t[i] <= '9' && decimals < 3; i++, decimals++)
            v = v * 10 + (t[i] - '0');
    for (; decimals < 3; decimals++) v *= 10;
    return negative ? -v : v;
}

int64_t to_int(std::string_view t)
{
    int64_t v = 0;
    for (char c : t) {
        if (c < '0' || c > '9') break;
        v = v * 10 + (c - '0');
    }
    return v;
}

template <size_t N> bool is(const char *key, const char (&want)[N]) { return std::memcmp(key, want, N - 1) == 0; }

void word(sums &s, std::string_view t) { s.words += t.size() + uint8_t(t[t.size() / 2]); }

void one_event(ondemand::object event, sums &s)
{
    s.events++;
    for (auto field : event) {
        const char *key = field.key().value().raw();
        ondemand::value value = field.value();
        switch (key[0]) {
        case 'p':
            if (is(key, "ph\"") || is(key, "pid\"")) word(s, value.raw_json_token());
            break;
        case 'c':
            if (is(key, "cat\"")) word(s, value.raw_json_token());
            break;
        case 'n':
            if (is(key, "name\"")) word(s, value.raw_json_token());
            break;
        case 't':
            if (is(key, "ts\""))
                s.ts += to_ns(value.raw_json_token());
            else if (is(key, "tid\""))
                word(s, value.raw_json_token());
            break;
        case 'd':
            if (is(key, "dur\"")) {
                s.dur += to_ns(value.raw_json_token());
                s.slices++;
            }
            break;
        case 'a':
            if (!is(key, "args\"")) break;
            for (auto arg : value.get_object())
                if (is(arg.key().value().raw(), "correlation\"")) s.correlation += to_int(arg.value().raw_json_token());
            break;
        default: break;
        }
    }
}

// Windows [first, last) of the file, in order.
void read_windows(int fd, uint64_t size, uint64_t first, uint64_t last, sums &s)
{
    std::vector<char> buffer(WINDOW + 2 * AHEAD + SIMDJSON_PADDING + 16);
    ondemand::parser parser;
    for (uint64_t w = first; w < last; w++) {
        uint64_t at = w * WINDOW;
        size_t behind = w ? 4096 : 0;
        char *base = buffer.data() + 8;
        size_t want = behind + WINDOW + AHEAD, got = 0;
        while (got < want) {
            ssize_t r = pread(fd, base + got, want - got, off_t(at - behind + got));
            if (r < 0) die("read error");
            if (r == 0) break;
            got += size_t(r);
        }
        size_t begin = behind;
        if (!w) { // the file's own members come before the events
            const char *events = static_cast<const char *>(memmem(base, got, "\"traceEvents\"", 13));
            begin = events ? size_t(events - base) : 0;
        }
        begin = first_event(base, begin, got);
        bool is_last = at + WINDOW >= size;
        size_t end = is_last ? begin + array_end(base + begin, got - begin) : first_event(base, behind + WINDOW, got);
        if (end == got && at + got - behind < size) die("no event boundary within the look-ahead");
        if (end == got) end = begin + array_end(base + begin, got - begin);
        if (begin >= end) continue;
        while (end > begin && (blank(base[end - 1]) || base[end - 1] == ',')) end--;
        char before = base[begin - 1];
        base[begin - 1] = '[';
        base[end] = ']';
        std::memset(base + end + 1, ' ', SIMDJSON_PADDING);
        ondemand::document doc = parser.iterate(base + begin - 1, end - begin + 2, buffer.size() - 8 - (begin - 1));
        for (auto element : doc.get_array()) one_event(element.get_object(), s);
        base[begin - 1] = before;
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) die("usage: floor FILE [THREADS]");
    unsigned threads = argc > 2 ? unsigned(std::strtoul(argv[2], nullptr, 10)) : 1;
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) die("cannot open the file");
    uint64_t size = uint64_t(st.st_size), windows = (size + WINDOW - 1) / WINDOW;
    auto start = std::chrono::steady_clock::now();
    std::vector<sums> parts(threads);
    std::vector<std::thread> workers;
    try {
        for (unsigned t = 0; t < threads; t++)
            workers.emplace_back([&, t] {
                try {
                    read_windows(fd, size, windows * t / threads, windows * (t + 1) / threads, parts[t]);
                } catch (const simdjson_error &e) {
                    die(e.what());
                }
            });
        for (auto &w : workers) w.join();
    } catch (const std::exception &e) {
        die(e.what());
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sums all;
    for (const sums &p : parts) {
        all.events += p.events, all.slices += p.slices, all.words += p.words;
        all.ts += p.ts, all.dur += p.dur, all.correlation += p.correlation;
    }
    std::printf("{\"seconds\": %.6f, \"bytes\": %llu, \"events\": %llu, \"slices\": %llu, \"threads\": %u, \"sum\": "
                "\"%llx\"}\n",
                seconds, (unsigned long long)size, (unsigned long long)all.events, (unsigned long long)all.slices,
                threads,
                (unsigned long long)(all.words ^ uint64_t(all.ts) ^ uint64_t(all.dur) ^ uint64_t(all.correlation)));
    return 0;
}
