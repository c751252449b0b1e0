/** The decoders in workerd, compiled when the worker is deployed. */
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm'
import type { Codecs } from './decode.ts'
import jpeg from './libjpeg-turbo/libjpeg-turbo.wasm'
import png from './libpng/libpng.wasm'

export const codecs: Codecs = { jpeg, png, webp }
