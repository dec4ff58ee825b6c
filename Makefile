# tracetty: build, test, install. `make help` lists the targets.
# B is the build folder (B=build puts the program at ./tracetty, any other B at $(B)/tracetty); V=1 shows the commands;
# WERROR=1 makes warnings errors.

B       ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CXX     ?= c++
V       ?= 0
WERROR  ?= 0
PKG_CONFIG ?= pkg-config
PYTHON  ?= python3

ifeq ($(origin CC),default)
CC  := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
ifeq ($(B),build)
BIN := tracetty
else
BIN := $(B)/tracetty
endif
# path of the program, which is absolute when B is
RUN = $(if $(filter /%,$(BIN)),$(BIN),./$(BIN))
ifeq ($(V),0)
say = @printf '  %-5s %s\n' $(1) $(2);
Q   := @
else
say =
Q   :=
endif

# `make deps test` installs the packages first, even with -j; then a second make runs the rest and finds them
REST := $(filter-out deps,$(MAKECMDGOALS))
ifneq ($(and $(filter deps,$(MAKECMDGOALS)),$(REST)),)
.PHONY: deps $(REST)
deps:
	$(Q)tests/deps
$(firstword $(REST)): deps
	$(Q)$(MAKE) --no-print-directory $(REST)
$(wordlist 2,$(words $(REST)),$(REST)): $(firstword $(REST)) ;
else

# ---- libraries: the first three are required, the others add a feature where present
have        = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)
lib_cflags  = $(shell $(PKG_CONFIG) --cflags $(1) 2>/dev/null)
lib_libs    = $(shell $(PKG_CONFIG) --libs $(1) 2>/dev/null || echo $(2))

FEATURES :=
LIBS     := $(call lib_libs,simdjson,-lsimdjson) $(call lib_libs,ncursesw,-lncursesw -ltinfo) $(call lib_libs,zlib,-lz)
# as system headers: our warnings are not for them
as_system = $(patsubst -I%,-isystem %,$(1))
INCLUDES := $(call as_system,$(sort $(call lib_cflags,simdjson) $(call lib_cflags,zlib)))
# ncursesw's own -D_XOPEN_SOURCE conflicts with -D_GNU_SOURCE: only its include folders are used
INCLUDES += $(call as_system,$(filter -I%,$(call lib_cflags,ncursesw)))
ifeq ($(call have,libisal),yes)
FEATURES += -DTT_HAVE_ISAL
LIBS     += $(call lib_libs,libisal)
else
MISSING  += libisal (gzip is read with zlib, slower)
endif
ifeq ($(call have,libzstd),yes)
FEATURES += -DTT_HAVE_ZSTD
LIBS     += $(call lib_libs,libzstd)
else
MISSING  += libzstd (no .zst files)
endif
ifeq ($(call have,sqlite3),yes)
FEATURES += -DTT_HAVE_SQLITE
LIBS     += $(call lib_libs,sqlite3)
else
MISSING  += libsqlite3 (no databases of Nsight Systems and ROCm, no SQL)
NO_SQLITE := parser/sqlite parser/nsys parser/rocm parser/databases tui/sql
endif
ifeq ($(call have,cairo),yes)
FEATURES += -DTT_HAVE_CAIRO # loaded when a picture is written: not linked
INCLUDES += $(call as_system,$(filter -I%,$(call lib_cflags,cairo)))
else
MISSING  += cairo (no PNG pictures)
endif
# set by assets/packaging/portable only
ifeq ($(KIND),portable)
FEATURES += -DTT_PORTABLE=1
endif

# ---- flags
WARN     := -Wall -Wextra -Wshadow -Wpointer-arith -Wwrite-strings -Wundef -Wformat=2 \
            $(if $(filter 1,$(WERROR)),-Werror)
# names and paths are truncated on purpose: no warning for it
NO_CUT   := $(shell $(CC) -Werror -Wno-format-truncation -x c -fsyntax-only /dev/null 2>/dev/null && echo -Wno-format-truncation)
WARN_C   := $(WARN) -Wstrict-prototypes -Wvla $(NO_CUT)
HARDEN   ?= -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-clash-protection
HARDEN_L ?= -Wl,-z,relro,-z,now -Wl,-z,noexecstack
# the version, stored only here (see assets/packaging/)
VERSION  := 1.3.0
# the commit for --version: of this folder's own repository; in an archive of the sources git has written it into a file
ifeq ($(origin COMMIT),undefined)
COMMIT := $(if $(wildcard .git),$(shell git -c safe.directory='*' rev-parse --short=10 HEAD 2>/dev/null),$(filter-out $$Format:%,$(shell cut -c 1-10 assets/packaging/commit 2>/dev/null)))
endif
# folder of the capture library, below a folder tracetty; the program searches it relative to itself, so that PREFIX may
# change after the build
LIBDIR ?= $(PREFIX)/lib
# folders of zsh completions and of the Python module: one below PREFIX that $(PYTHON) imports from, if it has any
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
ifeq ($(origin PYTHONDIR),undefined)
IMPORTS_FROM = import site, sys; lib = sys.argv[1] + "/lib"; \
    print(next((p for p in site.getsitepackages() + [site.getusersitepackages()] if p.startswith(lib)), ""))
PYTHONDIR = $(eval PYTHONDIR := $(or $(shell $(PYTHON) -c '$(IMPORTS_FROM)' $(PREFIX) 2>/dev/null),$(LIBDIR)/tracetty))$(PYTHONDIR)
endif
ifeq ($(filter $(PREFIX)/%,$(LIBDIR)),)
$(error LIBDIR ($(LIBDIR)) has to lie in PREFIX ($(PREFIX)))
endif
# not added to CPPFLAGS: a make started by this one would inherit the change from the environment and build everything
# again
CPP_ALL  := -I. -D_GNU_SOURCE -DTT_VERSION='"$(VERSION)"' $(FEATURES) $(INCLUDES) $(CPPFLAGS)
ifeq ($(origin CFLAGS),undefined)
CFLAGS     := -O2 -g
endif
# together with the flags of a distribution
ifneq ($(filter -O2,$(CFLAGS)),)
OPT_parser := -O3
OPT_model  := -O3
# runs once a recording: -O3 doubles its size for nothing
ONLY_parser/recording/flight.c := -O2
endif
CXXFLAGS ?= $(CFLAGS)
# debugging information and __FILE__ name the sources from here: the same objects in every folder
PATHS    := '-ffile-prefix-map=$(CURDIR)=.'
# -fwrapv: sums of the absurd numbers in damaged traces wrap instead of being undefined
# -ffp-contract=off: clang would fuse multiplication and addition where the processor can: other last digits on ARM64
C_ALL     = -std=c11 $(WARN_C) $(HARDEN) -fPIE -pthread -fno-strict-aliasing -fwrapv -ffp-contract=off $(PATHS) $(CPP_ALL) $(CFLAGS)
CXX_ALL   = -std=c++17 $(WARN) $(HARDEN) -fPIE -pthread -ffp-contract=off $(PATHS) $(CPP_ALL) $(CXXFLAGS)
LD_ALL    = -pie -pthread $(HARDEN_L) $(LDFLAGS)

# ---- sources: a static library for each folder that holds any
# from top to bottom: the linker finds a folder's symbols only in the libraries behind it
LAYERS     := $(shell sed -n 's|^\([a-z_/]*\):.*|\1|p' tests/lint/layers.txt | tac)
FOLDERS    := $(filter-out $(NO_SQLITE),$(LAYERS))
# the explorer is one object in several folders, hence one library
own         = $(1) $(if $(filter tui/app,$(1)),$(filter tui/app/%,$(FOLDERS)))
in          = $(filter-out tui/main.c,$(sort $(foreach d,$(1),$(wildcard $(d)/*.c $(d)/*.cpp))))
SRC        := $(foreach d,$(FOLDERS),$(call in,$(d)))
obj         = $(patsubst %,$(B)/%.o,$(1))
lib         = $(B)/lib/libtt_$(subst /,_,$(1)).a
LIB_DIRS   := $(foreach d,$(filter-out tui/app/%,$(FOLDERS)),$(if $(call in,$(call own,$(d))),$(d)))
ALL_LIBS   := $(foreach d,$(LIB_DIRS),$(call lib,$(d)))
MAIN_OBJ   := $(call obj,tui/main.c)
UNIT_SRC   := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_BIN   := $(patsubst %.c,$(B)/%,$(UNIT_SRC))
UNIT_DIRS  := $(patsubst %/,%,$(sort $(dir $(UNIT_SRC))))
FUZZ_SRC   := $(filter-out $(if $(NO_SQLITE),tests/fuzz/fuzz_sqlite.c),$(sort $(wildcard tests/fuzz/fuzz_*.c)))
C_FILES     = $(sort $(shell find model parser capture tui tests/unit tests/fuzz tests/bench -name '*.[ch]' -o -name '*.cpp'))
DEF_FILES   = $(sort $(shell find model parser capture tui tests -name '*.def'))

# the library that recorded processes load: needs an old libc only (old_glibc.h), and exports only its interface
CAP_LIB     := $(B)/libtracetty_capture.so
CAP_LIB_OBJ := $(patsubst %,$(B)/pic/%.o,$(foreach d,$(filter-out capture/launcher,$(filter capture/%,$(FOLDERS))),$(call in,$(d))))

.PHONY: portable deb roots dist release all demo test units doubles bench bench-tools install uninstall deps asan tsan fuzz fuzz-short lint format \
        samples pictures clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BIN) $(CAP_LIB)
	$(if $(MISSING),@printf 'built without: %s\n' "$(MISSING)")

$(BIN): $(MAIN_OBJ) $(ALL_LIBS)
	$(call say,LINK,$@) $(CXX) $(LD_ALL) -o $@ $(MAIN_OBJ) $(ALL_LIBS) $(LIBS) -lm

$(foreach d,$(LIB_DIRS),$(eval $(call lib,$(d)): $(call obj,$(call in,$(call own,$(d))))))
$(B)/lib/libtt_%.a:
	@mkdir -p $(@D)
	$(call say,AR,$@) rm -f $@ && $(AR) rcsD $@ $^

# macros that one file alone reads, so that a change compiles that file alone
ONLY_tui/commands/docs_version.c := -DTT_COMMIT='"$(COMMIT)"'
ONLY_capture/launcher/launch.c   := -DTT_LIBRARY_PLACE='"/../$(LIBDIR:$(PREFIX)/%=%)/tracetty"'
$(call obj,tui/commands/docs_version.c): $(B)/commit
$(call obj,capture/launcher/launch.c): $(B)/libdir
$(B)/commit: TOLD = $(COMMIT)
$(B)/libdir: TOLD = $(LIBDIR:$(PREFIX)/%=%)
$(B)/commit $(B)/libdir: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(TOLD)' | cmp -s - $@ || printf '%s\n' '$(TOLD)' >$@

top_folder = $(firstword $(subst /, ,$(1)))

$(B)/%.c.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_ALL) $(OPT_$(call top_folder,$<)) $(ONLY_$<) -MMD -MP -c -o $@ $<

$(B)/pic/%.c.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,PIC,$<) $(CC) $(C_ALL:-fPIE=-fPIC) $(OLD_GLIBC) -fvisibility=hidden -MMD -MP -c -o $@ $<

$(CAP_LIB_OBJ): OLD_GLIBC = -include capture/shared/old_glibc.h
# libpthread and libdl by name: empty since glibc 2.34; before it they hold functions of old_glibc.h
OLD_LIBS = $(if $(findstring -gnu,$(shell $(CC) -dumpmachine)),-Wl$(comma)--no-as-needed -l:libpthread.so.0 -l:libdl.so.2,-ldl)
# -Bsymbolic-functions: libraries of the program export InitializeInjection and InitializeInjectionNvtx2, too
$(CAP_LIB): $(CAP_LIB_OBJ)
	$(call say,LINK,$@) $(CC) -shared -pthread $(HARDEN_L) -Wl,-z,nodelete -Wl,-z,defs -Wl,-Bsymbolic-functions $(LDFLAGS) -o $@ $^ $(OLD_LIBS) -lm

$(B)/%.cpp.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	$(call say,CXX,$<) $(CXX) $(CXX_ALL) $(OPT_$(call top_folder,$<)) -MMD -MP -c -o $@ $<

# rewritten only when a compiler or flag changes, so that everything is compiled again; also checks for required
# libraries
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(CC) $(C_ALL) $(CXX) $(CXX_ALL))' | cmp -s - $@ || \
	    { CC='$(CC)' CXX='$(CXX)' CPPFLAGS='$(subst ','\'',$(CPP_ALL))' tests/deps --check && \
	    printf '%s\n' '$(subst ','\'',$(CC) $(C_ALL) $(CXX) $(CXX_ALL))' > $@; }
.PHONY: FORCE # .SECONDARY would keep a name without a file from counting as new

# ---- tests
# the unit tests of a folder are one program that runs each by name: tests/unit/main.c
$(foreach t,$(UNIT_SRC),$(eval ONLY_$(t) := -Dmain=main_$(basename $(notdir $(t)))))
$(foreach d,$(UNIT_DIRS),$(eval $(B)/$(d)/tests: $(call obj,$(filter $(d)/%,$(UNIT_SRC)))))
$(foreach d,$(UNIT_DIRS),$(eval $(filter $(B)/$(d)/%,$(UNIT_BIN)): $(B)/$(d)/tests))
$(UNIT_DIRS:%=$(B)/%/tests): $(call obj,tests/unit/main.c) $(ALL_LIBS)
	$(call say,LINK,$@) $(CXX) $(LD_ALL) -Wl,--export-dynamic-symbol='main_test_*' -o $@ $(filter %.o,$^) $(ALL_LIBS) $(LIBS) -lm
$(UNIT_BIN):
	@ln -sf tests $@

# programs to record, and a libcupti that replays scripts
DOUBLES := $(B)/tests/doubles/target $(B)/tests/doubles/careful $(B)/tests/doubles/domains $(B)/tests/doubles/together \
           $(B)/tests/doubles/forks \
           $(B)/tests/doubles/libfakecupti.so \
           $(B)/tests/doubles/libfakecupti-11.so $(B)/tests/doubles/libfakecuda.so $(B)/tests/doubles/libcudart-fake.so \
           $(B)/tests/doubles/nvml/libnvidia-ml.so.1 $(B)/tests/doubles/librefuse.so $(B)/tests/doubles/libreads.so \
           $(B)/tests/doubles/libnamesakes.so $(B)/tests/doubles/fakenccl \
           $(B)/tests/doubles/libbareclient.so $(B)/tests/doubles/libstackreader.so \
           $(B)/tests/doubles/driver/libcuda.so.1
$(B)/tests/doubles/target $(B)/tests/doubles/careful $(B)/tests/doubles/domains $(B)/tests/doubles/together $(B)/tests/doubles/forks: %: %.c.o
	$(call say,LINK,$@) $(CC) $(LD_ALL) -o $@ $< -ldl
FAKE := tests/doubles/fakecupti.c tests/doubles/fakerecords.c tests/doubles/fakerivals.c
$(B)/tests/doubles/libfakecupti.so: $(patsubst %.c,$(B)/pic/%.c.o,$(FAKE))
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) -shared -pthread $(LDFLAGS) -o $@ $^
# that libcupti without the functions that CUPTI 11.0 lacks
$(B)/tests/doubles/libfakecupti-11.so: $(FAKE) $(wildcard tests/doubles/*.h tests/doubles/*.def) $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) $(C_ALL:-fPIE=-fPIC) -fvisibility=hidden -DFAKE_CUPTI_11 -shared -pthread $(LDFLAGS) -o $@ $(FAKE)

# a program whose NCCL loads a profiler plugin
$(B)/tests/doubles/fakenccl: %: %.c.o
	$(call say,LINK,$@) $(CC) -pthread $(LD_ALL) -o $@ $< -ldl

# cost of CUPTI itself
$(B)/tests/doubles/libbareclient.so: $(B)/pic/tests/doubles/bareclient.c.o
	$(call say,LINK,$@) $(CC) -shared -pthread $(LDFLAGS) -o $@ $^

# the reader of stacks, for Python programs that read themselves
$(B)/tests/doubles/libstackreader.so: $(patsubst %.c,$(B)/pic/%.c.o,tests/doubles/stackreader.c $(call in,capture/stacks))
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) -shared -pthread $(LDFLAGS) -o $@ $^

# CUDA libraries that answer version questions
$(B)/tests/doubles/libfakecuda.so: SONAME = -Wl,-soname,libcuda.so.1
$(B)/tests/doubles/libfakecuda.so $(B)/tests/doubles/libcudart-fake.so: $(B)/pic/tests/doubles/fakecuda.c.o
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) -shared $(SONAME) $(LDFLAGS) -o $@ $<

# two GPUs for NVML, found by LD_LIBRARY_PATH
$(B)/tests/doubles/nvml/libnvidia-ml.so.1: tests/doubles/fakenvml.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) $(C_ALL:-fPIE=-fPIC) -fvisibility=hidden -shared $(LDFLAGS) -o $@ $<

# a driver whose work becomes records of the libcupti double, found by LD_LIBRARY_PATH
$(B)/tests/doubles/driver/libcuda.so.1: tests/doubles/fakedriver.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) $(C_ALL:-fPIE=-fPIC) -fvisibility=hidden -shared -Wl,-soname,libcuda.so.1 $(LDFLAGS) -o $@ $<

# by LD_PRELOAD: a system that refuses some calls; one whose reads are short, interrupted or fail; the recorder's names
$(B)/tests/doubles/librefuse.so $(B)/tests/doubles/libreads.so $(B)/tests/doubles/libnamesakes.so: $(B)/tests/doubles/lib%.so: tests/doubles/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@) $(CC) $(C_ALL:-fPIE=-fPIC) -U_FORTIFY_SOURCE -shared $(LDFLAGS) -o $@ $<

units: $(UNIT_BIN)
doubles: $(DOUBLES)

# in parallel unless a number of jobs is given
PAR = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

# build the needs of the tests in TESTS
test:
	$(Q)B=$(B) BIN=$(BIN) MAKE="$(MAKE)" tests/run

SAN_ENV = ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
comma  := ,
ASAN   := -fsanitize=address$(comma)undefined
# gcc warns falsely of uninitialised variables in instrumented code
SAN_C   = -O1 -g -fno-omit-frame-pointer -Wno-maybe-uninitialized

# slowdown of these builds against the plain one, for limits of work
asan:
	+$(Q)SLOWER=12 $(SAN_ENV) $(MAKE) --no-print-directory HARDEN= CXXFLAGS='$(SAN_C) $(ASAN)' LDFLAGS='$(ASAN)' B=build/asan \
	    CFLAGS='$(SAN_C) $(ASAN) -fno-sanitize-recover=undefined' test
tsan:
	+$(Q)SLOWER=12 $(SAN_ENV) $(MAKE) --no-print-directory HARDEN= CXXFLAGS='$(SAN_C) -fsanitize=thread' LDFLAGS=-fsanitize=thread \
	    CFLAGS='$(SAN_C) -fsanitize=thread' B=build/tsan test

# the normal build under valgrind: unit tests, and the program through a wrapper script. TESTS= (empty) runs all, for
# hours
VALGRIND := valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
            --show-leak-kinds=definite
# without tests that take minutes there; tests/cli/memory.sh does random keys
VALGRIND_TESTS := unit/ sample.sh broken.py -test_source -test_load -test_lod -test_flame -test_random_keys -test_spool_damage
valgrind: export TESTS := $(if $(filter undefined,$(origin TESTS)),$(VALGRIND_TESTS),$(TESTS))
valgrind: all
	$(Q)mkdir -p $(B)/valgrind && rm -f $(B)/valgrind/*
	$(Q)printf '#!/bin/sh\nexec %s --log-file=%s/%%p.log "%s" "$$@"\n' '$(VALGRIND)' '$(abspath $(B)/valgrind)' '$(abspath $(BIN))' \
	    > $(B)/valgrind/tracetty && chmod +x $(B)/valgrind/tracetty
	$(Q)SLOWER=20 VALGRIND='$(VALGRIND)' BROKEN_EVERY=$${BROKEN_EVERY:-24} B=$(B) BIN=$(abspath $(B)/valgrind/tracetty) MAKE="$(MAKE)" tests/run
	$(Q)! find $(B)/valgrind -name '*.log' -size +0 -print -exec head -n 20 {} \; | grep .
.PHONY: valgrind

# relations between the tables of a trace and of the trace written otherwise, on every trace of TRACETTY_CORPUS
relations: all
	$(Q)RELATIONS=all BIN=$(abspath $(BIN)) $(PYTHON) tests/cli/relations.py
.PHONY: relations

# kill a recorded program at random moments, KILLS times (the suite has a few)
KILLS ?= 100
kills: all doubles
	$(Q)KILLS=$(KILLS) B=$(abspath $(B)) BIN=$(abspath $(BIN)) tests/capture/killed.sh
.PHONY: kills

# reasons of waits, against a second implementation, on every trace of TRACETTY_CORPUS
why-all: all
	$(Q)WHY=all BIN=$(abspath $(BIN)) $(PYTHON) tests/golden/why.py
.PHONY: why-all

# tables of differences, against a second implementation and by invariants, on every trace of TRACETTY_CORPUS
diff-all: all
	$(Q)COMPARE=all BIN=$(abspath $(BIN)) $(PYTHON) tests/golden/compare.py
	$(Q)DIFF=all BIN=$(abspath $(BIN)) $(PYTHON) tests/cli/diff_relations.py
.PHONY: diff-all

# all tests that .ci/run leaves out, for hours: before an issue is closed, and before a release
nightly:
	+$(Q).ci/run nightly
.PHONY: nightly

# line coverage of parser/ and model/ over the whole suite, or TESTS="words"
coverage:
	+-$(Q)$(MAKE) --no-print-directory HARDEN= B=build/cov CFLAGS='-O1 -g --coverage' CXXFLAGS='-O1 -g --coverage' \
	    LDFLAGS=--coverage test
	$(Q)tests/coverage build/cov
.PHONY: coverage

# `tracetty cluster` over Slurm and MPI: as root, this machine is a cluster of NODES="4 8" nodes in turn (slurm-wlm, munge, openmpi-bin)
cluster: all
	$(Q)BIN=$(abspath $(BIN)) $(PYTHON) tests/cluster/cluster.py
.PHONY: cluster

FUZZ_SECONDS ?= 20
FUZZ_SAN     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
fuzz:
	$(Q)$(MAKE) --no-print-directory $(PAR) CC=clang CXX=clang++ HARDEN= B=build/fuzz \
	    CFLAGS='$(FUZZ_SAN) -fsanitize=fuzzer-no-link' CXXFLAGS='$(FUZZ_SAN) -fsanitize=fuzzer-no-link' \
	    LDFLAGS='-fsanitize=fuzzer,address,undefined' fuzz-bins
.PHONY: fuzz-bins
fuzz-bins: $(patsubst %.c,$(B)/%,$(FUZZ_SRC))
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.c.o $(ALL_LIBS)
	$(call say,LINK,$@) $(CXX) $(LD_ALL) -o $@ $< $(ALL_LIBS) $(LIBS) -lm
fuzz-short: fuzz
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=$(FUZZ_SEED) B=build/fuzz tests/fuzz/run $(patsubst tests/fuzz/%.c,%,$(FUZZ_SRC))

# build for ARM64 with Debian packages unpacked in build/arm64-root, run under qemu, and compare tables with this
# machine's
arm64:
	$(Q)MAKE="$(MAKE)" tests/arm64/run
.PHONY: arm64

# ---- benchmarks
bench: bench-tools
	$(Q)$(PYTHON) tests/bench.py --bin $(BIN) --tools $(B)/tests/bench $(BENCH_ARGS)
bench-tools: all $(patsubst %,$(B)/%,$(basename $(wildcard tests/bench/*.c tests/bench/*.cpp)))
$(B)/tests/bench/%: $(B)/tests/bench/%.cpp.o
	$(call say,LINK,$@) $(CXX) $(LD_ALL) -o $@ $< $(LIBS) -lm
$(B)/tests/bench/%: $(B)/tests/bench/%.c.o $(ALL_LIBS)
	$(call say,LINK,$@) $(CXX) $(LD_ALL) -o $@ $< $(ALL_LIBS) $(LIBS) -lm

# for pip: of the portable program if it has these sources, else of this build, tagged for this machine
PORTABLE := build/portable/tracetty-$(VERSION)-linux-$(shell uname -m)
wheel:
	$(Q)rm -f build/wheel/*.whl
	+$(Q)if git diff --quiet "$$(cat $(PORTABLE).commit 2>/dev/null || echo none)" -- Makefile model parser capture tui ':!tui/python' ':!capture/tracetty.py' 2>/dev/null; then \
	    $(PYTHON) assets/packaging/wheel --parts $(PORTABLE).parts.json $(PORTABLE)/tracetty $(PORTABLE)/libtracetty_capture.so $(VERSION) build/wheel; \
	else \
	    echo "of this build, for this machine; for others: make portable wheel"; \
	    $(MAKE) --no-print-directory all && \
	    $(PYTHON) assets/packaging/wheel --strip $(BIN) $(CAP_LIB) $(VERSION) build/wheel; \
	fi
.PHONY: wheel

# ---- people
# a program elsewhere than in the sources has no samples beside it
demo:
	$(Q)$(MAKE) --no-print-directory $(PAR) B=$(B) all
	$(Q)$(RUN) $(if $(filter build,$(B)),demo,assets/sample_gpu)

deps:
	$(Q)tests/deps

# not below the sources: a summary has the paths of its traces
RANKS = /tmp/tracetty-samples/ranks
samples:
	$(PYTHON) tests/tools/make_sample.py assets
	$(PYTHON) tests/tools/make_paddle.py assets/sample_paddle
	$(PYTHON) tests/tools/make_ascend_sample.py assets/sample_ascend
	$(PYTHON) tests/tools/make_mindinsight_sample.py assets/sample_mindinsight
	$(PYTHON) tests/tools/kineto_to_db.py samples assets
	$(PYTHON) tests/tools/make_serving_sample.py assets/sample_serving
	$(PYTHON) tests/tools/make_hang.py assets/sample_hang --seed 14 --gz >/dev/null
	$(PYTHON) tests/tools/make_snapshot.py assets/sample_snapshot/memory_snapshot.pickle --oom --pending --steps 6 --seed 3
	$(PYTHON) tests/tools/make_xplane.py sample
	rm -rf $(RANKS) && $(PYTHON) tests/tools/make_ranks.py --sample $(RANKS)
	mkdir -p assets/sample_ranks && $(RUN) summarize $(RANKS) -o assets/sample_ranks/run.tts && gzip -9nf assets/sample_ranks/run.tts
	rm -rf $(dir $(RANKS))

pictures: all
	UPDATE=1 BIN=$(RUN) tests/cli/document_pictures.sh

# what packages hold beside program and libraries: samples for `tracetty demo`, and documents whose links work
SAMPLES       = $(addprefix assets/,$(shell grep -ohE 'sample_[a-z_]+' tui/commands/samples.def | sort -u))
SAMPLE_FILES  = $(sort $(shell find $(wildcard $(SAMPLES)) -type f))
DOCUMENTS     = README.md LICENSE $(sort $(wildcard assets/doc/*.md assets/pictures/*))
PACKED        = $(DOCUMENTS) $(SAMPLE_FILES) $(sort $(wildcard assets/completions/*)) assets/tracetty.1 capture/tracetty.h capture/tracetty.py
PACKAGE       = $(sort $(wildcard tui/python/tracetty/*.py)) tui/python/tracetty/py.typed
samples-list packed-list:
	@printf '%s\n' $(if $(filter samples-list,$@),$(SAMPLE_FILES),$(PACKED))
.PHONY: samples-list packed-list

# what `make install` writes, as MODE:SOURCE:PLACE; `make uninstall` removes the same places
SHARE  = $(PREFIX)/share
PLACED = 755:$(BIN):$(PREFIX)/bin/tracetty 755:$(CAP_LIB):$(LIBDIR)/tracetty/libtracetty_capture.so \
         644:capture/tracetty.h:$(PREFIX)/include/tracetty.h 644:assets/tracetty.1:$(SHARE)/man/man1/tracetty.1 \
         644:assets/completions/tracetty.bash:$(SHARE)/bash-completion/completions/tracetty \
         644:assets/completions/tracetty.fish:$(SHARE)/fish/vendor_completions.d/tracetty.fish \
         644:assets/completions/_tracetty:$(ZSHDIR)/_tracetty \
         $(foreach f,$(PACKAGE),644:$(f):$(PYTHONDIR)/tracetty/$(notdir $(f))) \
         644:capture/tracetty.py:$(PYTHONDIR)/tracetty/annotations.py \
         $(foreach f,$(DOCUMENTS),644:$(f):$(SHARE)/doc/tracetty/$(f)) \
         $(foreach f,$(SAMPLE_FILES),644:$(f):$(SHARE)/tracetty/$(f:assets/%=%))
STRIP ?= strip
install: all
	$(Q)set -e; for p in $(PLACED); do \
	    mode=$${p%%:*} place="$(DESTDIR)$${p##*:}" from=$${p#*:}; \
	    install -D -m $$mode $(if $(STRIP),$$(test $$mode = 644 || echo -s --strip-program=$(STRIP))) "$${from%%:*}" "$$place"; \
	done
	@echo 'installed below $(DESTDIR)$(PREFIX): try tracetty demo'
	$(if $(filter $(LIBDIR)/tracetty,$(PYTHONDIR)),@echo 'for Python: export PYTHONPATH=$(PYTHONDIR)')

# the folders of tracetty alone, innermost first
OWN = $(PYTHONDIR)/tracetty $(LIBDIR)/tracetty $(SHARE)/doc/tracetty $(SHARE)/tracetty
uninstall:
	$(Q)for p in $(PLACED); do rm -f "$(DESTDIR)$${p##*:}"; done
	$(Q)rm -rf "$(DESTDIR)$(PYTHONDIR)/tracetty/__pycache__"
	$(Q)for d in $(addprefix $(DESTDIR),$(OWN)); do test ! -d "$$d" || find "$$d" -depth -type d -empty -delete; done

lint: all units bench-tools
	$(Q)BUILD=$(B) tests/lint/run $(C_FILES)
format:
	$(Q)$(PYTHON) tests/tools/wrap_lines.py $(C_FILES) $(DEF_FILES)
	clang-format -i $(C_FILES)

# one program for every Linux with glibc 2.27 (as root, with debootstrap), a Debian package, and the sources; all are
# tried in minimal Debian systems
portable:
	$(Q)assets/packaging/portable
deb:
	$(Q)assets/packaging/deb
roots:
	$(Q)assets/packaging/roots build/roots $(or $(TRY),$(wildcard build/portable/*.tar.gz build/wheel/*.whl))
# ... with recipes for other packagers: HOMEPAGE and URL name the archive's future place
HOMEPAGE ?= https://tracetty.invalid
ARCHIVE  := tracetty-$(VERSION).tar.gz
DIST     ?= build
URL      ?= $(HOMEPAGE)/$(ARCHIVE)
dist:
	@rm -rf $(DIST)/recipes && mkdir -p $(DIST) && cp -r assets/packaging/recipes $(DIST)/recipes
	$(call say,DIST,$(DIST)/$(ARCHIVE)) git archive --prefix=tracetty-$(VERSION)/ HEAD | gzip -9n >$(DIST)/$(ARCHIVE)
	$(Q)sum=$$(sha256sum <$(DIST)/$(ARCHIVE)) && sed -i -e 's|@VERSION@|$(VERSION)|; s|@SHA256@|'"$${sum%% *}"'|; s|@URL@|$(URL)|; s|@HOME@|$(HOMEPAGE)|' \
	    $(DIST)/recipes/*/*
# all of these from a clean commit, built twice and compared
release:
	$(Q)assets/packaging/release $(ROOT)

clean:
	rm -rf build tracetty

help:
	@printf '%s\n' \
	  'make             build ./tracetty (what is missing: make deps)' \
	  'make demo        build, open the sample trace' \
	  'make test        build, run every test; TESTS="words" for some' \
	  'make deps        install the missing packages (apt-get); make deps test: then the rest' \
	  'make install     PREFIX=/usr/local DESTDIR= LIBDIR= PYTHONDIR= ZSHDIR= PYTHON=python3; STRIP= keeps symbols' \
	  'make uninstall   the same variables' \
	  'make asan tsan   the tests on builds with the address/undefined or the thread sanitizer' \
	  'make fuzz-short  each fuzz target for FUZZ_SECONDS=20 (clang)' \
	  'make valgrind    a part of the tests under valgrind; TESTS= for all' \
	  'make coverage    line coverage of parser/ and model/ (gcov)' \
	  'make relations   what holds between tables of one trace written in several ways, on every trace' \
	  'make why-all     why devices wait: every table against a second implementation, on every trace' \
	  'make diff-all    what changed between two runs: likewise, and relations between the tables, on every trace' \
	  'make nightly     what .ci/run leaves out: sanitizers on all tests, valgrind, all traces, kills, the analyzer; hours' \
	  'make cluster     ranks over Slurm and MPI, on a cluster of 4 and of 8 nodes that this machine plays (as root)' \
	  'make kills       a recorded program that is killed at random moments, KILLS=100 times' \
	  'make bench       speed, memory and latency against references measured in the same run' \
	  'make wheel       build/wheel/tracetty-*.whl for pip: of the portable program, if made of these sources, else of this build' \
	  'make arm64       cross-built for ARM64: unit and cli tests under qemu, tables equal to those of this machine; TESTS="words"' \
	  'make lint        format, static analysis, layers, limits' \
	  'make format      clang-format the sources in place' \
	  'make samples     write the generated sample traces in assets/ again' \
  'make pictures    draw the pictures of the documents again' \
	  'make portable    build/portable/tracetty-*.tar.gz: one program for glibc 2.27 and newer (as root, with debootstrap)' \
	  'make deb         build/deb/tracetty_*.deb: a package for this Debian or Ubuntu' \
	  'make roots       try what was made portable in minimal Debian systems, or TRY="FILES" (as root, with debootstrap)' \
	  'make dist        build/tracetty-VERSION.tar.gz: the sources, and build/recipes for conda-forge, Spack and Homebrew' \
	  'make release     build/release: all packages of a clean commit, built twice and compared, with SBOM, provenance and checksums;' \
	  '                 RELEASE_KEY=ID signs, ROOT=DIR is the build system (as root, with debootstrap)' \
	  'make clean       remove what was built' \
	  'Variables: B=build V=1 WERROR=1 CC CXX CFLAGS LDFLAGS TRACETTY_CORPUS=DIR (more tests)'

-include $(patsubst %.o,%.d,$(call obj,$(SRC) $(UNIT_SRC) tests/unit/main.c $(FUZZ_SRC) tui/main.c))
-include $(wildcard $(B)/tests/bench/*.d) $(patsubst %.o,%.d,$(CAP_LIB_OBJ))
-include $(wildcard $(B)/tests/doubles/*.d $(B)/pic/tests/doubles/*.d)
endif
