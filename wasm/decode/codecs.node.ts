/** Loads the decoders under Node, from their files. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Codecs } from './decode.ts'

const compile = (file: string) =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(file))))

/** Compiles the decoders. Takes some tens of milliseconds, once per process. */
export const loadCodecs = (): Codecs => ({
  jpeg: compile('./libjpeg-turbo/libjpeg-turbo.wasm'),
  png: compile('./libpng/libpng.wasm'),
  webp: compile('./libwebp/libwebp.wasm'),
})
