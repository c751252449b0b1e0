/** The compiled decoders. workerd and Node differ only in how they load them. */
export interface Codecs {
  /** libjpeg-turbo's TurboJPEG, from @cwasm/jpeg-turbo. */
  readonly jpeg: WebAssembly.Module
  /** libwebp with Emscripten's glue code, from @jsquash/webp. */
  readonly webp: WebAssembly.Module
}
