/** The seconds around an event, cut out of a stream of MP4 fragments. */
import { openRecorder, type Parts } from '#camera/footage/recorder.ts'
import { mp4Box } from '#test/support/operation-samples.ts'

let now = 0
beforeEach(() => {
  now = 0
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const pass = async (ms: number) => {
  now += ms
  await vi.advanceTimersByTimeAsync(ms)
}

const start = (stream: number) => [...mp4Box('ftyp', 4), ...mp4Box('moov', 4, stream)]
const fragment = (value: number) => [...mp4Box('moof', 2), ...mp4Box('mdat', 4, value)]

/** The streams and fragments of a clip, by the values of their bytes. */
const valuesOf = (parts: Parts) => parts.map(part => part.at(-1))

describe('a recorder', () => {
  const recording = () => {
    const recorder = openRecorder(() => now)
    const take = recorder.run()
    take(Uint8Array.from(start(100)))
    return { recorder, take, video: (value: number) => take(Uint8Array.from(fragment(value))) }
  }

  it('waits for the seconds after the event, and leaves out others', async () => {
    const { recorder, video } = recording()
    const second = async (value: number) => {
      await pass(1_000)
      video(value)
    }
    for (let value = 1; value <= 10; value++) await second(value)
    const clip = recorder.around(9_500)
    const settled = vi.fn()
    void clip.then(settled)
    for (let value = 11; value <= 13; value++) await second(value)
    expect(settled).not.toHaveBeenCalled()
    for (let value = 14; value <= 16; value++) await second(value)
    expect(valuesOf(await clip)).toEqual([100, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  })

  it('reads boxes from chunks of any size, and takes nothing more after other bytes', async () => {
    const { recorder, take } = recording()
    await pass(1_000)
    for (const byte of fragment(1)) take(Uint8Array.of(byte))
    take(Uint8Array.from([...fragment(2), ...fragment(3).slice(0, 7)]))
    take(Uint8Array.from(fragment(3).slice(7)))
    take(new Uint8Array(100))
    take(Uint8Array.from(fragment(4)))
    const clip = recorder.around(500)
    recorder.end()
    expect(valuesOf(await clip)).toEqual([100, 1, 2, 3])
  })

  it('never mixes the streams before and after a loss', async () => {
    const { recorder, video } = recording()
    await pass(1_000)
    video(1)
    recorder.end()
    const take = recorder.run()
    take(Uint8Array.from([...start(101)]))
    await pass(1_000)
    take(Uint8Array.from(fragment(2)))
    const clips = [recorder.around(500), recorder.around(1_500)]
    recorder.end()
    expect((await Promise.all(clips)).map(valuesOf)).toEqual([
      [100, 1],
      [101, 2],
    ])
  })

  it('keeps a clip below the size of a file, with the event in it', async () => {
    const { recorder, take } = recording()
    const large = (value: number) => {
      const bytes = new Uint8Array(4 * 2 ** 20).fill(value)
      new DataView(bytes.buffer).setUint32(0, bytes.length)
      bytes.set(Buffer.from('mdat'), 4)
      take(Uint8Array.from(mp4Box('moof', 2)))
      take(bytes)
    }
    for (let value = 1; value <= 6; value++) {
      await pass(1_000)
      large(value)
    }
    const clip = recorder.around(4_500)
    recorder.end()
    expect(valuesOf(await clip)).toEqual([100, 5, 6])
  })

  it('gives its fragments when no key frame comes, and nothing without a stream', async () => {
    const { recorder, video } = recording()
    const none = recorder.around(0)
    await pass(14_000)
    expect(await none).toEqual([])
    video(1)
    const clip = recorder.around(14_000)
    await pass(14_000)
    expect(valuesOf(await clip)).toEqual([100, 1])
  })
})
