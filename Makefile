# SPDX-License-Identifier: MIT
# The door: `make` builds build/arne, `make demo` shows it at work, `make python` builds the Python package, `make octave` functions for Octave, `make check` runs the quick tests, `make test` all of them,
# `make bench` times it beside its peers (build/bench/index.html), `make papers` recomputes the tables and figures of the five documents, `make doc` writes
# the API reference, `make install` installs it (PREFIX=...). What is missing on a Debian machine is installed first (tools/setup).

BUILD  ?= build
PREFIX ?= /usr/local

all: setup
	@cmake -S . -B $(BUILD) -G Ninja >/dev/null
	@cmake --build $(BUILD)

setup:
	@tools/setup build

# the Python package: build/python/arne (also: pip install .)
python:
	@tools/setup build python
	@cmake -S . -B $(BUILD) -G Ninja >/dev/null
	@cmake --build $(BUILD) --target python

# functions for Octave: build/octave, and a package of them for `pkg install`
octave:
	@tools/setup build octave
	@cmake -S . -B $(BUILD) -G Ninja >/dev/null
	@cmake --build $(BUILD) --target arne_file
	@octave/build $(BUILD)

demo: all
	@tools/demo $(BUILD)
	@echo
	@tools/demo_learn $(BUILD)

# after each edit: the quick tests, less than a minute
check:
	@tools/setup build check
	@tools/test check

test:
	@tools/setup build check test big
	@tools/test

# do the tests notice? random faults of one line in src, N of them
N    ?= 300
SEED ?= 1
mutate:
	@tools/setup build check
	@tools/mutate -n $(N) --seed $(SEED)

papers: all
	@tools/setup papers
	@python3 papers/build.py $(BUILD)/papers/index.html

bench:
	@tools/setup build bench
	@cmake -S . -B $(BUILD)-bench -G Ninja -DARNE_PEERS=ON >/dev/null
	@cmake --build $(BUILD)-bench --target all free_base loop cuda_bench
	@mkdir -p $(BUILD)/bench
	@$(BUILD)-bench/arne_peers --out $(BUILD)/bench/peers.json
	@$(BUILD)-bench/free_base
	@$(BUILD)-bench/loop --out $(BUILD)/bench/loop.json
	@! command -v nvidia-smi >/dev/null || $(BUILD)-bench/cuda_bench panda $(BUILD)/bench/cuda.json
	@ARNE=$(BUILD)-bench/arne python3 bench/page.py $(BUILD)/bench

doc:
	@tools/setup doc
	@mkdir -p build/doc
	@doxygen doc/Doxyfile
	@echo "build/doc/html/index.html"

# the loader learns of new libraries in its own folders; only root may tell it
install: all
	@cmake --install $(BUILD) --prefix $(PREFIX) >$(BUILD)/install.log
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig
	@echo "installed in $(PREFIX)"

format:
	@clang-format -i $$(git ls-files '*.c' '*.h' '*.inc' '*.cpp' '*.hpp')

clean:
	rm -rf $(BUILD) $(BUILD)-*

.PHONY: all setup python octave demo check test mutate papers bench doc install format clean
