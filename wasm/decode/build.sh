#!/bin/sh
# Builds libjpeg-turbo/libjpeg-turbo.wasm, libpng/libpng.wasm and libwebp/libwebp.wasm, on Debian 12 with the packages
# clang-16, lld-16, wasi-libc and libclang-rt-16-dev-wasm32. The result is the same on every machine: the last line checks it.
# Usage: build.sh FOLDER, where these sources of Debian are:
# apt-get source --download-only libjpeg-turbo=1:3.1.3-4 libpng1.6=1.6.58-1 libwebp=1.6.0-0.1 zlib=1:1.3.dfsg+really1.3.2-4
set -eu
# clang would run a wasm-opt that it finds, in any version.
PATH=/usr/bin:/bin
JPEG_VERSION=3.1.3
SOURCES='3a13a5ba767dc8264bc40b185e41368a80d5d5f945944d1dbaa4b2fb0099f4e5  libjpeg-turbo_3.1.3.orig.tar.gz
a9d4df463d36a6e5f9c29bd6f4967312d17e996c1854f3511f833924eb1993cf  libpng1.6_1.6.58.orig.tar.gz
e4ab7009bf0629fd11982d4c2aa83964cf244cffba7347ecd39019a9e38c4564  libwebp_1.6.0.orig.tar.gz
7b6903eb019983987b7112eccf90f1703f1c6c0e0cede36564bf611d19ca579d  zlib_1.3.dfsg+really1.3.2.orig.tar.gz'
RESULTS='10bd693de5b4a90061b46d19c527237fa034fa8c44f26f2069eb33444a9b5567  libjpeg-turbo/libjpeg-turbo.wasm
4ab256609d669cf8e6bd90b3552a9631d3bbe70615bcba11c541ac85e2888fb1  libpng/libpng.wasm
7d27f92616af3cf6d9c07799ed1cdf428bdfa741a67b8d012ce0c0ccfa8e52f0  libwebp/libwebp.wasm'

# Only what decodes 8-bit Huffman-coded JPEGs with the accurate transform. The linker replaces what is absent by traps:
# encoders, other precisions, lossless and arithmetic coding, which header.ts refuses before.
JPEG_FILES='jcomapi jdapimin jdatasrc-tj jdhuff jdinput jdmarker jdmaster jdphuff jerror jmemmgr jmemnobs jutils turbojpeg'
JPEG_FILES_8='jdapistd jdcoefct jdcolor jddctmgr jdmainct jdpostct jdsample jidctint jidctred'
JPEG_EXPORTS='malloc free tjInitDecompress tjDecompress2 tjDestroy'

PNG_FILES='png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans'
ZLIB_FILES='adler32 crc32 inffast inflate inftrees zutil'
PNG_EXPORTS='pngStart pngRead pngEnd'
# png.ts passes no other chunks on.
PNG_OPTIONS='16BIT BENIGN_ERRORS BENIGN_READ_ERRORS DISABLE_ADLER32_CHECK EASY_ACCESS FIXED_POINT FLOATING_ARITHMETIC
FLOATING_POINT GAMMA POINTER_INDEXING PROGRESSIVE_READ READ READ_16BIT READ_ANCILLARY_CHUNKS
READ_BACKGROUND READ_EXPAND READ_GAMMA READ_GRAY_TO_RGB READ_INTERLACING READ_STRIP_16_TO_8
READ_STRIP_ALPHA READ_TRANSFORMS READ_tRNS SET_OPTION USER_LIMITS gAMA tRNS'

WEBP_FILES='dec/alpha_dec dec/buffer_dec dec/frame_dec dec/io_dec dec/quant_dec dec/tree_dec dec/vp8_dec dec/vp8l_dec dec/webp_dec
dsp/alpha_processing dsp/cpu dsp/dec dsp/dec_clip_tables dsp/filters dsp/lossless dsp/rescaler dsp/upsampling dsp/yuv
utils/bit_reader_utils utils/color_cache_utils utils/filters_utils utils/huffman_utils utils/palette utils/quant_levels_dec_utils
utils/random_utils utils/rescaler_utils utils/thread_utils utils/utils'
WEBP_EXPORTS='malloc free WebPGetInfo WebPDecodeRGBAInto'

folder=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$folder"
echo "$SOURCES" | sha256sum --check --quiet
cd "$work"
for name in libjpeg-turbo libpng libwebp zlib; do
  mkdir $name
  tar -xzf "$folder/$name"*_*.orig.tar.gz -C $name --strip-components=1
done
sed -i '/#define [CD]_LOSSLESS_SUPPORTED/d' libjpeg-turbo/src/jmorecfg.h

# What cmake would write.
mkdir include
sed "s/@COPYRIGHT_YEAR@/2026/" libjpeg-turbo/src/jversion.h.in > include/jversion.h
cat > include/jconfig.h <<END
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION $JPEG_VERSION
#define LIBJPEG_TURBO_VERSION_NUMBER 3001003
#define MEM_SRCDST_SUPPORTED 1
#ifndef BITS_IN_JSAMPLE
#define BITS_IN_JSAMPLE 8
#endif
END
cat > include/jconfigint.h <<END
#include "jconfig.h"
#define BUILD "$JPEG_VERSION"
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "$JPEG_VERSION"
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
# libpng's own list, without what is not used.
sed '/_SUPPORTED$/d; /^#endif/d' libpng/scripts/pnglibconf.h.prebuilt > include/pnglibconf.h
for name in $PNG_OPTIONS; do echo "#define PNG_${name}_SUPPORTED"; done >> include/pnglibconf.h
echo '#endif' >> include/pnglibconf.h

# Usage: compile RESULT EXPORTS [OPTION | SOURCE]...
compile() {
  result=$here/$1
  exports=
  for name in $2; do exports="$exports -Wl,--export=$name"; done
  shift 2
  clang-16 --target=wasm32-wasi -O2 -DNDEBUG -w -isystem include -Iinclude -nostartfiles \
    -Wl,--no-entry -Wl,--strip-all $exports "$@" -o "$result"
  chmod 644 "$result"
}

# The files of a list, with what stands before and after their names.
named() {
  for name in $2; do echo "$1$name$3"; done
}

compile libjpeg-turbo/libjpeg-turbo.wasm "$JPEG_EXPORTS" -DNO_GETENV -Ilibjpeg-turbo/src -Wl,--unresolved-symbols=ignore-all \
  $(named libjpeg-turbo/src/ "$JPEG_FILES" .c) $(named libjpeg-turbo/src/wrapper/ "$JPEG_FILES_8" -8.c)
compile libpng/libpng.wasm "$PNG_EXPORTS" -Ilibpng -Izlib "$here/libpng/libpng.c" \
  $(named libpng/ "$PNG_FILES" .c) $(named zlib/ "$ZLIB_FILES" .c)
# webp.ts gives a memory with a bound: a file can demand hundreds of megabytes.
compile libwebp/libwebp.wasm "$WEBP_EXPORTS" -Ilibwebp -Wl,--import-memory -Wl,--initial-memory=1048576 \
  $(named libwebp/src/ "$WEBP_FILES" .c)
cd "$here"
echo "$RESULTS" | sha256sum --check
