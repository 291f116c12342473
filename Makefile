# SPDX-License-Identifier: Apache-2.0
# A short front for meson and ninja. `make run` and `make check` set a fresh Debian 12 machine up.
BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) program

$(BUILD)/build.ninja:
	@meson setup $(BUILD) --prefix $(PREFIX)

setup:
	@scripts/setup

run: setup
	@$(MAKE) --no-print-directory all
	$(BUILD)/fctrace -F PyList_Sort -t 3us /usr/bin/python3 -c 'print(sorted("fctrace"))'

check: setup
	@scripts/check

check-long:
	@scripts/setup --long
	@scripts/check --long

bench: setup
	@$(MAKE) --no-print-directory all
	@ninja -C $(BUILD) bench/drain
	@/usr/bin/python3 -B bench/bench.py --fctrace $(BUILD)/fctrace $(ARGS)

install: all
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@ninja -C $(BUILD) program
	@DESTDIR=$(DESTDIR) meson install --no-rebuild -C $(BUILD)

uninstall:
	@ninja -C $(BUILD) uninstall

# A Debian package in dist/.
deb:
	@scripts/setup --deb
	@scripts/deb

clean:
	rm -rf $(BUILD) build-check dist

.PHONY: all setup run check check-long bench install uninstall deb clean
