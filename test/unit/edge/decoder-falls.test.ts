/** A photo that crashes a decoder fails one request, and the log counts it. */
import { form, sample } from '#test/support/client.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { deadly } from '../wasm/decode/samples.ts'
import { appWith } from './app-with.ts'

const codecs = loadCodecs()
const photo = await sample(1)

/** An edge that decodes photos and finds no faces. */
const edge = appWith({
  core: { forRequest: () => undefined },
  faces: {
    async analyze(bytes: Uint8Array) {
      const decoded = await decode(bytes, readHeader(bytes), codecs, { scale: 1 / 8, maxBytes: 2 ** 30 })
      decoded.release()
      return { orientation: 1, faces: [], selected: [] }
    },
  },
})

it('POST /v0/detect answers BAD_IMAGE when a photo crashes the decoder, logs the count, and decodes the next photo', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const detect = async (bytes: Uint8Array<ArrayBuffer>) => {
    const response = await edge.request('/v0/detect', { method: 'POST', body: form({ photo: bytes }) })
    const { status } = response
    return { status, body: (await response.json()) as object }
  }
  const lines = () =>
    log.mock.calls.map(([line]) => JSON.parse(line)).filter(({ event }) => event !== 'refused')
  for (const count of [1, 2]) {
    const killed = await detect(deadly(photo))
    expect(killed).toMatchObject({ status: 400, body: { code: 'BAD_IMAGE' } })
    expect(lines()).toHaveLength(count)
    expect(lines().at(-1)).toMatchObject({ event: 'decoder crashed', count, requestId: expect.any(String) })
    expect(await detect(photo)).toMatchObject({ status: 200, body: { faces: [] } })
  }
  expect(await detect(photo.slice(0, 2_000))).toMatchObject({ status: 400, body: { code: 'BAD_IMAGE' } })
  expect(lines()).toHaveLength(2)
})
