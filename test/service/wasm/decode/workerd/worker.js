/** Decodes the photo that is posted to it: `?scale=0.5`. Answers with the raster, or with the code of the error. */
import { codecs } from '#wasm/decode/codecs.workerd.ts'
import { decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'

const BUDGET = 56 * 2 ** 20

export default {
  async fetch(request) {
    const scale = Number(new URL(request.url).searchParams.get('scale'))
    const bytes = new Uint8Array(await request.arrayBuffer())
    try {
      const { raster, release } = await decode(bytes, readHeader(bytes), codecs, { scale, maxBytes: BUDGET })
      const pixels = raster.data.slice()
      release()
      return new Response(pixels)
    } catch (error) {
      return new Response(error.code ?? error.name, { status: 400 })
    }
  },
}
