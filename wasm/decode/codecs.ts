/** The compiled decoders. How they are loaded is the one thing that differs between workerd and Node. */
export interface Codecs {
  /** libjpeg-turbo's TurboJPEG, from @cwasm/jpeg-turbo. */
  readonly jpeg: WebAssembly.Module
  /** libwebp behind Emscripten's glue, from @jsquash/webp. */
  readonly webp: WebAssembly.Module
}
