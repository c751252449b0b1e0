/** The decoders in workerd, compiled when the worker is deployed. */
import jpeg from '@cwasm/jpeg-turbo/jpeg-turbo.wasm'
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm'
import type { Codecs } from './decode.ts'

export const codecs: Codecs = { jpeg, webp }
