/** The decoders in workerd, compiled when the worker is deployed. */
import type { Codecs } from './decode.ts'
import jpeg from './libjpeg-turbo/libjpeg-turbo.wasm'
import png from './libpng/libpng.wasm'
import webp from './libwebp/libwebp.wasm'

export const codecs: Codecs = { jpeg, png, webp }
