#!/bin/sh
# Builds libjpeg-turbo.wasm beside this script, on Debian 12 with the packages clang-16, lld-16, wasi-libc and
# libclang-rt-16-dev-wasm32. The result is the same on every machine: the last line checks it.
# Usage: build.sh libjpeg-turbo_3.1.3.orig.tar.gz, from: apt-get source --download-only libjpeg-turbo=1:3.1.3-4
set -eu
# clang would run a wasm-opt that it finds, in any version.
PATH=/usr/bin:/bin
VERSION=3.1.3
SOURCE_SHA256=3a13a5ba767dc8264bc40b185e41368a80d5d5f945944d1dbaa4b2fb0099f4e5
RESULT_SHA256=10bd693de5b4a90061b46d19c527237fa034fa8c44f26f2069eb33444a9b5567

# Only what decodes 8-bit Huffman-coded JPEGs with the accurate transform. The linker replaces what is absent by traps:
# encoders, other precisions, lossless and arithmetic coding, which header.ts refuses before.
FILES='jcomapi jdapimin jdatasrc-tj jdhuff jdinput jdmarker jdmaster jdphuff jerror jmemmgr jmemnobs jutils turbojpeg'
FILES_8='jdapistd jdcoefct jdcolor jddctmgr jdmainct jdpostct jdsample jidctint jidctred'
EXPORTS='malloc free tjInitDecompress tjDecompress2 tjDestroy'

source=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo "$SOURCE_SHA256  $source" | sha256sum --check --quiet
tar -xzf "$source" --strip-components=1
sed -i '/#define [CD]_LOSSLESS_SUPPORTED/d' src/jmorecfg.h

# What cmake would write.
mkdir include
sed "s/@COPYRIGHT_YEAR@/2026/" src/jversion.h.in > include/jversion.h
cat > include/jconfig.h <<END
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION $VERSION
#define LIBJPEG_TURBO_VERSION_NUMBER 3001003
#define MEM_SRCDST_SUPPORTED 1
#ifndef BITS_IN_JSAMPLE
#define BITS_IN_JSAMPLE 8
#endif
END
cat > include/jconfigint.h <<END
#include "jconfig.h"
#define BUILD "$VERSION"
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "$VERSION"
#define HIDDEN
#define INLINE inline
#define THREAD_LOCAL
#define FALLTHROUGH
#define SIZEOF_SIZE_T 4
#define HAVE_BUILTIN_CTZL
END
# WebAssembly cannot unwind. jpeg.ts gives a setjmp that returns 0, and a longjmp that throws.
cat > include/setjmp.h <<'END'
typedef int jmp_buf[1];
__attribute__((import_module("env"), import_name("setjmp"))) int setjmp(jmp_buf);
__attribute__((import_module("env"), import_name("longjmp"))) _Noreturn void longjmp(jmp_buf, int);
END

for name in $FILES; do sources="${sources:-} src/$name.c"; done
for name in $FILES_8; do sources="$sources src/wrapper/$name-8.c"; done
for name in $EXPORTS; do exports="${exports:-} -Wl,--export=$name"; done
clang-16 --target=wasm32-wasi -O2 -DNDEBUG -DNO_GETENV -w -isystem include -Isrc -Iinclude -nostartfiles \
  -Wl,--no-entry -Wl,--strip-all -Wl,--unresolved-symbols=ignore-all $exports $sources -o "$here/libjpeg-turbo.wasm"
chmod 644 "$here/libjpeg-turbo.wasm"
echo "$RESULT_SHA256  $here/libjpeg-turbo.wasm" | sha256sum --check
