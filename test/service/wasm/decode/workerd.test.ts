/** The decoders in workerd: the same bytes give the same pixels as in Node. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { decodeFile, encoded, portrait } from '#test/unit/wasm/decode/samples.ts'

const worker = createTestHarness({
  workers: [{ configPath: join(import.meta.dirname, 'workerd', 'wrangler.toml') }],
})

const post = (bytes: Uint8Array<ArrayBuffer>, scale: number) =>
  worker.fetch(`/?scale=${scale}`, { method: 'POST', body: bytes })

const FILES = await encoded(
  () => portrait(150, 110),
  [
    'baseline JPEG',
    'progressive JPEG',
    'CMYK JPEG',
    'PNG',
    'interlaced PNG',
    'lossy WEBP',
    'lossy WEBP with transparency',
  ],
)

describe('decoders in workerd', () => {
  beforeAll(() => worker.listen())
  afterAll(() => worker.close())

  it.each(Object.entries(FILES))('give the same pixels as in Node: %s', async (_, file) => {
    for (const scale of [1, 0.25]) {
      const answer = await post(new Uint8Array(file), scale)
      const { raster, release } = await decodeFile(file, { scale })
      expect(answer.status).toBe(200)
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(raster.data)
      release()
    }
  })

  it.each(Object.entries(FILES))('refuse a damaged %s and decode the next one', async (_, file) => {
    const refused = await post(new Uint8Array(file.subarray(0, file.length / 3)), 1)
    expect(await refused.text()).toBe('BAD_IMAGE')
    expect((await post(new Uint8Array(file), 1)).status).toBe(200)
  })
})
