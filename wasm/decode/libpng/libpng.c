/* Reads a PNG in pieces with libpng. Passes its lines on as RGB of 8 bits, on white. png.ts has the other side. */
#include <png.h>

#define IMPORT(name) __attribute__((import_module("env"), import_name(#name)))
/* The pixels of a line: from column x of row y, dx columns apart. */
IMPORT(takeLine) void take_line(png_bytep rgb, int x, int dx, int y);
/* Throws: WebAssembly cannot unwind. */
IMPORT(refuse) _Noreturn void refuse(void);

static png_structp png;
static png_infop info;
static unsigned char input[1024];

static void on_error(png_structp png, png_const_charp message) { refuse(); }
static void on_warning(png_structp png, png_const_charp message) {}

static void on_header(png_structp png, png_infop info) {
  const png_color_16 white = {0, 255, 255, 255, 255};
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
  png_read_update_info(png, info);
}

/* libpng gives each pass of an interlaced picture as a smaller picture. */
static void on_line(png_structp png, png_bytep rgb, png_uint_32 row, int pass) {
  if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) take_line(rgb, 0, 1, row);
  else take_line(rgb, PNG_PASS_START_COL(pass), PNG_PASS_COL_OFFSET(pass), PNG_ROW_FROM_PASS_ROW(row, pass));
}

/* Begins a photo. Returns the address for its pieces. */
unsigned char *pngStart(void) {
  png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  info = png_create_info_struct(png);
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
  /* Old programs name too small a window. */
  png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
  png_set_progressive_read_fn(png, NULL, on_header, on_line, NULL);
  return input;
}

void pngRead(int length) { png_process_data(png, info, input, length); }

void pngEnd(void) { png_destroy_read_struct(&png, &info, NULL); }
