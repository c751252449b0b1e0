/** Uploaded recordings: the report of a watcher about an unreadable file. Skipped without ffmpeg. */
import { openUploads } from '#camera/uploads.ts'
import { type Camera, MienClient, MienNetworkError } from '#clients/typescript/src/index.ts'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'

const PIECE = CAMERA_LIMITS.recordingPieceBytes

/** Ends that are reported of a file whose third piece is asked for in vain. */
async function reportedEnds(third: () => Promise<Blob>) {
  const client = new MienClient({ url: 'http://mien.test', token: 'mien_test' })
  const ends: unknown[] = []
  vi.spyOn(client.cameras, 'lease').mockImplementation(async (_, { recording }) => {
    ends.push(recording?.end)
    return { picture_wanted: false }
  })
  const pieceAt = async (at: number) => (at < 2 * PIECE ? new Blob([new Uint8Array(PIECE).fill(7)]) : third())
  vi.spyOn(client.cameras, 'getRecording').mockImplementation((_, { at = 0 }) => pieceAt(at))
  const stop = new AbortController()
  const uploads = openUploads(client, {} as never, { watcher: 'w', log: () => {} }, stop.signal)
  const size = 9 * PIECE
  const recording = { start: '2026-01-01T00:00:00.000000', size, received: size }
  uploads.follow([{ id: 'door', enabled: true, recording } as Camera])
  await uploads.close()
  stop.abort()
  return ends
}

describe.skipIf(!hasFfmpeg)('an uploaded file that is no video', { tags: 'ffmpeg' }, () => {
  it('is reported, also while a piece is on its way', async () => {
    expect(await reportedEnds(() => new Promise(() => {}))).toEqual([undefined, 'no video'])
  })

  it('is read again when the service is away', async () => {
    expect(await reportedEnds(() => Promise.reject(new MienNetworkError('away')))).toEqual([undefined])
  })
})
