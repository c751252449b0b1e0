/** The newest frame, the reasons of a lost stream, and pauses between attempts. */
import type { Analyzer } from '#camera/analysis/analyzer.ts'
import { frameLoop } from '#camera/analysis/frame-loop.ts'
import { backOffMs } from '#camera/frames/back-off.ts'
import { reasonIn } from '#camera/frames/ffmpeg.ts'
import { openTracker, type SeenFace } from '#camera/tracker.ts'
import type { FrameShot } from '#camera/visit-event.ts'
import type { Area } from '#contract/model/camera.ts'

it('the newest frame replaces one that waits for the analysis, and none is taken after the end', async () => {
  const analysed: number[] = []
  const { promise: answer, resolve } = Promise.withResolvers<SeenFace[]>()
  const analyzer: Analyzer = {
    analyze(frameOf) {
      analysed.push(frameOf()!.frame.data[0]!)
      return answer
    },
    close: async () => {},
  }
  const frames = frameLoop({
    settings: { leastSide: 50, leastQuality: 0 },
    analyzer,
    regions: () => ({}),
    log() {},
    tracker: openTracker({ absenceMs: 5_000, longestMs: 60_000 }),
  })
  const put = (value: number) =>
    frames.put({ width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(value) }, performance.now())
  for (const value of [50, 100, 150, 200]) put(value)
  expect([analysed, frames.dropped()]).toEqual([[50], 2])
  resolve([])
  await vi.waitFor(() => expect(analysed).toEqual([50, 200]))
  await frames.end()
  put(250)
  expect(analysed).toEqual([50, 200])
})

/** A frame loop with this analysis, and its tracker. */
function looping(analyze: Analyzer['analyze'], masks?: Area[]) {
  const tracker = openTracker<FrameShot>({ absenceMs: 5_000, longestMs: 60_000 })
  const settings = { leastSide: 5, leastQuality: 0, masks }
  const analyzer = { analyze, close: async () => {} }
  return { tracker, frames: frameLoop({ settings, analyzer, tracker, regions: () => ({}), log() {} }) }
}

it('ignores movements and faces in the masks', async () => {
  let analysed = 0
  const seen = { quality: 1, roll: 0, embedding: new Float32Array(4) }
  const [left, right] = [0, 50].map(x => ({ ...seen, box: { x1: x, y1: 0, x2: x + 10, y2: 10 } }))
  const { tracker, frames } = looping(
    async frameOf => {
      frameOf()
      analysed++
      return [left!, right!]
    },
    [[0, 0, 0.5, 1]],
  )
  const put = async (bright: number) => {
    const data = new Uint8Array(64 * 64 * 3)
    data.fill(255, bright, bright + 60)
    frames.put({ width: 64, height: 64, data }, performance.now())
    await vi.waitFor(() => expect(frames.lastKnown()?.data).toBe(data))
    return analysed
  }
  expect([await put(0), await put(20 * 64 * 3), await put(20 * 64 * 3 + 120)]).toEqual([1, 1, 2])
  expect(tracker.present()).toEqual([right!.box])
  await frames.end()
})

/** A frame loop whose analysis finds a person in bright pictures. `put` and `follow` resolve with how the picture was searched, if it was. */
function watching() {
  const seen = { box: { x1: 0, y1: 0, x2: 10, y2: 10 }, quality: 1, roll: 0, embedding: new Float32Array(4) }
  let wanted: string | undefined
  const { frames } = looping(async frameOf => {
    const task = frameOf()!
    wanted = task.wanted
    return task.frame.data[0]! > 100 ? [seen] : []
  })
  const put = async (seconds: number, bright: number) => {
    wanted = undefined
    const data = frames.takeSpare()?.data.fill(bright) ?? new Uint8Array(64 * 64 * 3).fill(bright)
    frames.put({ width: 64, height: 64, data }, 1_000 * seconds)
    await vi.waitFor(() => expect(frames.lastKnown()?.data).toBe(data))
    return wanted
  }
  const follow = async (seconds: number) => {
    wanted = undefined
    await frames.follow(
      { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) },
      1_000 * seconds,
      () => {},
    )
    return wanted
  }
  return { frames, put, follow }
}

it('searches an empty picture closely after movements, then every 30 seconds, and always while a person is there', async () => {
  const { frames, put } = watching()
  const search = async (times: readonly number[], bright: number) => {
    const searches: (string | undefined)[] = []
    for (const time of times) searches.push(await put(time, bright))
    return searches
  }
  expect(await search([100, 101, 105, 110, 125, 130], 0)).toEqual([
    'all',
    undefined,
    'clear',
    'clear',
    'clear',
    'all',
  ])
  expect(await search([130.2, 131, 135.4], 50)).toEqual(['clear', undefined, 'all'])
  expect(await search([140, 145, 150], 200)).toEqual(['all', 'all', 'all'])
  await frames.end()
})

it('searches an empty recording closely each time: how many faces are known then depends on the machine', async () => {
  const { follow } = watching()
  expect([await follow(100), await follow(105), await follow(110)]).toEqual(['all', 'all', 'all'])
})

it('gives back the pictures that it needs no more, and not the last one', async () => {
  const { frames, put } = watching()
  for (const [second, bright] of [10, 200, 200, 10].entries()) await put(second, bright)
  const spare = frames.takeSpare()!
  expect(frames.takeSpare()).toBeUndefined()
  expect([spare.data[0], frames.lastKnown()!.data[0]]).toEqual([200, 10])
  await frames.end()
})

it('a pause doubles up to half a minute, and differs between cameras', () => {
  expect([0, 1, 2, 3].map(failures => backOffMs(failures, 1))).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(backOffMs(1_000_000, 1)).toBe(30_000)
  expect(backOffMs(3, 0)).toBe(4_000)
})

describe('the reason of a lost stream', () => {
  it.each([
    ['Failed to resolve hostname door: Name or service not known', 'unreachable'],
    ['tcp://10.0.0.9:554: Connection timed out', 'timeout'],
    ["Protocol 'file' not on whitelist 'http,https'!", 'not allowed'],
    ["Stream map '0:v:0' matches no streams.", 'no video'],
    ["Unrecognized option 'timeout'.\nOption not found", 'bad option'],
    ['stream 0, offset 0x2734: partial file\npipe:0: Input/output error', 'no video'],
    ['Exiting normally', 'ended'],
  ])('is named: %s', (message, reason) => {
    expect(reasonIn(message, false)).toBe(reason)
  })

  it('is the end of the stream for an error of reading after the first frame', () => {
    const message = 'pipe:0: Input/output error'
    expect([reasonIn(message, false), reasonIn(message, true)]).toEqual(['unreachable', 'ended'])
  })
})
