/* model/text/engine_step.c - see engine_step.h. */
#include "model/text/engine_step.h"

#include <string.h>

/* Rest of a name that is read from front to back. */
typedef struct scan {
    const char *p, *end;
} scan;

static bool eat(scan *s, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, text, n) != 0) return false;
    s->p += n;
    return true;
}

/* Digits of a number below 2^63. */
static bool eat_number(scan *s, int64_t *out)
{
    const char *from = s->p;
    int64_t n = 0;
    for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *s->p - '0', &n)) return false;
    *out = n;
    return s->p > from;
}

static bool at_end(const scan *s) { return s->p == s->end; }

static void say_nothing(tt_engine_step_name *v, tt_engine engine)
{
    v->engine = engine;
    v->phase = TT_PHASE_UNKNOWN;
    for (int i = 0; i < TT_STEP_NUMBER_COUNT_; i++) v->number[i] = TT_STEP_UNSAID;
}

/* Say that a side, context or generation, has no request. */
static void empty_side(tt_engine_step_name *v, tt_step_number requests, tt_step_number tokens)
{
    v->number[requests] = v->number[tokens] = 0;
}

static void set_requests(tt_engine_step_name *v, int64_t context, int64_t generation)
{
    v->number[TT_STEP_CONTEXT_REQUESTS] = context;
    v->number[TT_STEP_GENERATION_REQUESTS] = generation;
    if (__builtin_add_overflow(context, generation, &v->number[TT_STEP_REQUESTS]))
        v->number[TT_STEP_REQUESTS] = TT_STEP_UNSAID;
    v->phase = context ? generation ? TT_PHASE_MIXED : TT_PHASE_PREFILL : generation ? TT_PHASE_DECODE : TT_PHASE_IDLE;
}

/* ---- vLLM, xDiT, captures ---- */

/* "(sq8sk9sqsq64sqsk72)" */
static bool eat_sums(scan *s, int64_t *tokens, int64_t *k, int64_t *qq, int64_t *qk)
{
    return eat(s, "(sq") && eat_number(s, tokens) && eat(s, "sk") && eat_number(s, k) && eat(s, "sqsq") &&
           eat_number(s, qq) && eat(s, "sqsk") && eat_number(s, qk) && eat(s, ")");
}

static bool vllm_with_sums(scan s, tt_engine_step_name *v)
{
    int64_t total, context, generation, *n = v->number;
    if (!eat_number(&s, &total) || !eat(&s, "_context_") || !eat_number(&s, &context) ||
        !eat_sums(&s, &n[TT_STEP_CONTEXT_TOKENS], &n[TT_STEP_CONTEXT_K], &n[TT_STEP_CONTEXT_QQ],
                  &n[TT_STEP_CONTEXT_QK]) ||
        !eat(&s, "_generation_") || !eat_number(&s, &generation) ||
        !eat_sums(&s, &n[TT_STEP_GENERATION_TOKENS], &n[TT_STEP_GENERATION_K], &n[TT_STEP_GENERATION_QQ],
                  &n[TT_STEP_GENERATION_QK]))
        return false;
    set_requests(v, context, generation);
    return at_end(&s);
}

static bool vllm_with_tokens(scan s, tt_engine_step_name *v)
{
    int64_t context, generation, *n = v->number;
    if (!eat(&s, "context_") || !eat_number(&s, &context) || !eat(&s, "(") ||
        !eat_number(&s, &n[TT_STEP_CONTEXT_TOKENS]) || !eat(&s, ")_generation_") || !eat_number(&s, &generation) ||
        !eat(&s, "(") || !eat_number(&s, &n[TT_STEP_GENERATION_TOKENS]) || !eat(&s, ")"))
        return false;
    set_requests(v, context, generation);
    return at_end(&s);
}

static bool vllm_with_requests(scan s, tt_engine_step_name *v)
{
    int64_t context, generation;
    if (!eat(&s, "new_") || !eat_number(&s, &context) || !eat(&s, "_cached_") || !eat_number(&s, &generation))
        return false;
    set_requests(v, context, generation);
    return at_end(&s);
}

static bool read_diffusion(scan s, tt_engine_step_name *v)
{
    int64_t width, height;
    say_nothing(v, TT_ENGINE_XDIT);
    v->phase = TT_PHASE_DIFFUSION;
    return eat(&s, "diffusion_") && eat_number(&s, &v->number[TT_STEP_BATCH]) && eat(&s, "_") &&
           eat_number(&s, &width) && eat(&s, "x") && eat_number(&s, &height) && at_end(&s);
}

static bool read_execute(scan s, tt_engine_step_name *v)
{
    if (!eat(&s, "execute_")) return false;
    if (read_diffusion(s, v)) return true;
    static bool (*const lines[])(scan, tt_engine_step_name *) = {vllm_with_sums, vllm_with_tokens, vllm_with_requests};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say_nothing(v, TT_ENGINE_VLLM);
        if (lines[i](s, v)) return true;
    }
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool read_capture(scan s, tt_engine_step_name *v)
{
    say_nothing(v, TT_ENGINE_CAPTURE);
    v->phase = TT_PHASE_CAPTURE;
    if (!eat(&s, "capture_")) return false;
    if (eat(&s, "graph_bs_")) return eat_number(&s, &v->number[TT_STEP_BATCH]) && at_end(&s);
    if (!eat_number(&s, &v->number[TT_STEP_BATCH]) || !eat(&s, "_")) return false;
    while (s.p < s.end && (is_letter(*s.p) || *s.p == '_')) s.p++;
    return at_end(&s);
}

/* ---- SGLang ---- */

static bool is_word(const char *p, size_t n, const char *word) { return strlen(word) == n && !memcmp(p, word, n); }

enum { BS, TOKS, C, G, C_SQ, C_SK, C_SQSQ, C_SQSK, G_SQ, G_SK, G_SQSQ, G_SQSK, N_KEYS };
static const char *const sglang_keys[N_KEYS] = {"bs",     "toks",   "c",    "g",    "c_sq",   "c_sk",
                                                "c_sqsq", "c_sqsk", "g_sq", "g_sk", "g_sqsq", "g_sqsk"};

/* Read " key=N" pairs up to the closing bracket; keys that mean nothing here are accepted. */
static bool eat_pairs(scan *s, int64_t key[N_KEYS])
{
    for (int i = 0; i < N_KEYS; i++) key[i] = TT_STEP_UNSAID;
    while (eat(s, " ")) {
        const char *word = s->p;
        int64_t n;
        while (s->p < s->end && ((*s->p >= 'a' && *s->p <= 'z') || *s->p == '_')) s->p++;
        size_t len = (size_t)(s->p - word);
        if (!len || !eat(s, "=") || !eat_number(s, &n)) return false;
        for (int i = 0; i < N_KEYS; i++)
            if (is_word(word, len, sglang_keys[i])) key[i] = n;
    }
    return eat(s, "]") && at_end(s);
}

static int64_t either(int64_t a, int64_t b) { return a != TT_STEP_UNSAID ? a : b; }

static void set_context(tt_engine_step_name *v, const int64_t key[N_KEYS])
{
    v->phase = TT_PHASE_PREFILL;
    v->number[TT_STEP_CONTEXT_REQUESTS] = key[BS];
    v->number[TT_STEP_CONTEXT_TOKENS] = either(key[C_SQ], key[TOKS]);
    empty_side(v, TT_STEP_GENERATION_REQUESTS, TT_STEP_GENERATION_TOKENS);
}

static void set_generation(tt_engine_step_name *v, const int64_t key[N_KEYS], int64_t tokens)
{
    v->phase = TT_PHASE_DECODE;
    v->number[TT_STEP_GENERATION_REQUESTS] = key[BS];
    v->number[TT_STEP_GENERATION_TOKENS] = tokens;
    empty_side(v, TT_STEP_CONTEXT_REQUESTS, TT_STEP_CONTEXT_TOKENS);
}

static void set_both(tt_engine_step_name *v, const int64_t key[N_KEYS])
{
    v->phase = TT_PHASE_MIXED;
    v->number[TT_STEP_CONTEXT_REQUESTS] = key[C];
    v->number[TT_STEP_GENERATION_REQUESTS] = key[G];
    v->number[TT_STEP_CONTEXT_TOKENS] = key[C_SQ];
    v->number[TT_STEP_GENERATION_TOKENS] = key[G_SQ];
}

static void set_sums(tt_engine_step_name *v, const int64_t key[N_KEYS])
{
    v->number[TT_STEP_CONTEXT_K] = key[C_SK];
    v->number[TT_STEP_CONTEXT_QQ] = key[C_SQSQ];
    v->number[TT_STEP_CONTEXT_QK] = key[C_SQSK];
    v->number[TT_STEP_GENERATION_K] = key[G_SK];
    v->number[TT_STEP_GENERATION_QQ] = key[G_SQSQ];
    v->number[TT_STEP_GENERATION_QK] = key[G_SQSK];
}

static bool read_sglang(scan s, tt_engine_step_name *v)
{
    int64_t key[N_KEYS];
    if (!eat(&s, "step[")) return false;
    const char *mode = s.p;
    if (at_end(&s) || *s.p < 'A' || *s.p > 'Z') return false;
    while (s.p < s.end && ((*s.p >= 'A' && *s.p <= 'Z') || (*s.p >= '0' && *s.p <= '9') || *s.p == '_')) s.p++;
    size_t n = (size_t)(s.p - mode);
    if (!eat_pairs(&s, key)) return false;
    say_nothing(v, TT_ENGINE_SGLANG);
    v->number[TT_STEP_REQUESTS] = key[BS];
    bool draft = n >= 5 && !memcmp(mode, "DRAFT", 5);
    if (draft) v->phase = TT_PHASE_DRAFT;
    if (is_word(mode, n, "IDLE")) {
        v->phase = TT_PHASE_IDLE;
        for (int i = TT_STEP_REQUESTS; i < TT_STEP_NUMBER_COUNT_; i++)
            if (i != TT_STEP_BATCH) v->number[i] = 0;
        return true;
    }
    if (is_word(mode, n, "DECODE")) set_generation(v, key, either(key[G_SQ], key[BS]));
    if (is_word(mode, n, "TARGET_VERIFY")) set_generation(v, key, key[G_SQ]);
    if (is_word(mode, n, "EXTEND") || is_word(mode, n, "SPLIT_PREFILL")) set_context(v, key);
    if (is_word(mode, n, "MIXED")) set_both(v, key);
    if (v->phase != TT_PHASE_UNKNOWN && !draft) set_sums(v, key);
    return true;
}

/* ---- ATOM ---- */

/* Read the value of a pair: "[7803, 6918]", that with "...+3" behind it, or bytes without a blank. */
static bool eat_value(scan *s)
{
    const char *close = s->p < s->end && *s->p == '[' ? memchr(s->p, ']', (size_t)(s->end - s->p)) : NULL;
    int64_t more;
    if (close && close + 1 < s->end) {
        scan rest = {close + 1, s->end};
        if (eat(&rest, "...+") && !eat_number(&rest, &more)) return false;
        if (rest.p < rest.end && (*rest.p == ' ' || rest.p + 1 == rest.end)) return s->p = rest.p, true;
    }
    while (s->p < s->end && *s->p != ' ') s->p++;
    if (at_end(s)) s->p--; /* the closing bracket */
    return true;
}

enum { TOK, P, D, SK, SQSQ, SQSK, N_WORDS };
static const char *const atom_words[N_WORDS] = {"tok", "p", "d", "sk", "sqsq", "sqsk"};

static bool eat_words(scan *s, int64_t word[N_WORDS])
{
    for (int i = 0; i < N_WORDS; i++) word[i] = TT_STEP_UNSAID;
    while (eat(s, " ")) {
        const char *at = s->p;
        while (s->p < s->end && *s->p >= 'a' && *s->p <= 'z') s->p++;
        size_t len = (size_t)(s->p - at);
        if (!len || !eat(s, "=")) return false;
        scan value = {s->p, s->end};
        int64_t n;
        if (!eat_value(s)) return false;
        value.end = s->p;
        for (int i = 0; i < N_WORDS; i++)
            if (is_word(at, len, atom_words[i]) && eat_number(&value, &n) && at_end(&value)) word[i] = n;
    }
    return eat(s, "]") && at_end(s);
}

static void set_side(tt_engine_step_name *v, bool context, int64_t requests, const int64_t word[N_WORDS])
{
    int64_t *n = v->number;
    if (context)
        empty_side(v, TT_STEP_GENERATION_REQUESTS, TT_STEP_GENERATION_TOKENS);
    else
        empty_side(v, TT_STEP_CONTEXT_REQUESTS, TT_STEP_CONTEXT_TOKENS);
    n[context ? TT_STEP_CONTEXT_REQUESTS : TT_STEP_GENERATION_REQUESTS] = requests;
    n[context ? TT_STEP_CONTEXT_TOKENS : TT_STEP_GENERATION_TOKENS] = word[TOK];
    n[context ? TT_STEP_CONTEXT_K : TT_STEP_GENERATION_K] = word[SK];
    n[context ? TT_STEP_CONTEXT_QQ : TT_STEP_GENERATION_QQ] = word[SQSQ];
    n[context ? TT_STEP_CONTEXT_QK : TT_STEP_GENERATION_QK] = word[SQSK];
    v->phase = context ? TT_PHASE_PREFILL : TT_PHASE_DECODE;
}

static bool read_atom(scan s, tt_engine_step_name *v)
{
    int64_t requests, word[N_WORDS];
    say_nothing(v, TT_ENGINE_ATOM);
    bool dummy = eat(&s, "dummy_");
    (void)eat(&s, "eager_");
    bool context = eat(&s, "prefill");
    if (!context && !eat(&s, "decode")) return false;
    if (!eat(&s, "[bs=") || !eat_number(&s, &requests)) return false;
    if (eat(&s, "/") && !eat_number(&s, &v->number[TT_STEP_BATCH])) return false;
    if (!eat_words(&s, word)) return false;
    v->number[TT_STEP_REQUESTS] = dummy ? 0 : requests;
    if (dummy) {
        empty_side(v, TT_STEP_CONTEXT_REQUESTS, TT_STEP_CONTEXT_TOKENS);
        empty_side(v, TT_STEP_GENERATION_REQUESTS, TT_STEP_GENERATION_TOKENS);
        v->phase = context ? TT_PHASE_WARMUP : TT_PHASE_IDLE;
    } else if (!context && word[P] > 0) {
        v->phase = TT_PHASE_MIXED;
        v->number[TT_STEP_CONTEXT_REQUESTS] = word[P];
        v->number[TT_STEP_GENERATION_REQUESTS] = word[D];
    } else {
        set_side(v, context, requests, word);
    }
    return true;
}

/* ---- TensorRT-LLM ---- */

static bool read_tensorrt_llm(scan s, tt_engine_step_name *v)
{
    int64_t context, generation, *n = v->number;
    say_nothing(v, TT_ENGINE_TENSORRT_LLM);
    if (!eat(&s, "[Executor] _forward_step")) return false;
    if (eat(&s, " ") && !eat_number(&s, &n[TT_STEP_ITERATION])) return false;
    if (!eat(&s, ": ") || !eat_number(&s, &context) || !eat(&s, " ctx reqs, ")) return false;
    scan without = s;
    if (!eat_number(&s, &n[TT_STEP_CONTEXT_TOKENS]) || !eat(&s, " ctx tokens, ")) {
        s = without;
        n[TT_STEP_CONTEXT_TOKENS] = context ? TT_STEP_UNSAID : 0;
    }
    if (!eat_number(&s, &generation) || !eat(&s, " gen reqs")) return false;
    if (!generation) n[TT_STEP_GENERATION_TOKENS] = 0;
    set_requests(v, context, generation);
    return at_end(&s);
}

/* ---- all ---- */

bool tt_engine_step_read(const char *name, size_t len, tt_engine_step_name *out)
{
    tt_engine_step_name v;
    scan s = {name, name + len};
    bool fits = false;
    if (!len) return false;
    switch (name[0]) {
    case 'c': fits = read_capture(s, &v); break;
    case 's': fits = read_sglang(s, &v); break;
    case '[': fits = read_tensorrt_llm(s, &v); break;
    case 'p': fits = read_atom(s, &v); break;
    case 'd': fits = read_atom(s, &v); break;
    case 'e': fits = read_execute(s, &v) || read_atom(s, &v); break;
    default: return false;
    }
    if (fits && out) *out = v;
    return fits;
}

void tt_engine_step_add(tt_engine_step_name *outer, const tt_engine_step_name *inner)
{
    if (outer->engine == TT_ENGINE_VLLM) outer->engine = inner->engine;
    if (outer->phase == TT_PHASE_IDLE || outer->phase == TT_PHASE_UNKNOWN) outer->phase = inner->phase;
    for (int i = 0; i < TT_STEP_NUMBER_COUNT_; i++) outer->number[i] = either(outer->number[i], inner->number[i]);
}

const char *tt_engine_word(tt_engine e)
{
    static const char *const words[TT_ENGINE_COUNT_] = {"vllm", "sglang",  "atom",    "tensorrt-llm",
                                                        "xdit", "capture", "inferred"};
    return words[e];
}

const char *tt_phase_word(tt_phase p)
{
    static const char *const words[TT_PHASE_COUNT_] = {"prefill", "mixed",  "decode",  "draft",  "diffusion",
                                                       "idle",    "warmup", "capture", "unknown"};
    return words[p];
}

uint32_t tt_phase_bit(const char *word)
{
    for (int p = 0; p < TT_PHASE_COUNT_; p++)
        if (!strcmp(word, tt_phase_word((tt_phase)p))) return 1u << p;
    return 0;
}

bool tt_names_profiler_step(const char *name, size_t len) { return len > 13 && !memcmp(name, "ProfilerStep#", 13); }
