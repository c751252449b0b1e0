/** The newest frame, the reasons of a lost stream, and pauses between attempts. */
import { describe, expect, it } from 'vitest'
import { newest } from '#camera/analysis/frame-loop.ts'
import { backOffMs } from '#camera/frames/back-off.ts'
import { reasonIn } from '#camera/frames/ffmpeg.ts'

describe('the newest frame', () => {
  it('replaces older ones, which are never queued', async () => {
    const frames = newest<number>()
    for (const frame of [1, 2, 3]) frames.put(frame)
    expect(await frames.wait()).toBe(true)
    expect([frames.take(), frames.take()]).toEqual([3, undefined])
  })

  it('wakes its reader, and lets it go at the end', async () => {
    const frames = newest<number>()
    const waiting = frames.wait()
    frames.put(1)
    expect(await waiting).toBe(true)
    frames.take()
    const last = frames.wait()
    frames.end()
    expect(await last).toBe(false)
    frames.put(2)
    expect(frames.take()).toBeUndefined()
  })
})

describe('a pause', () => {
  it('doubles up to half a minute, and differs between cameras', () => {
    expect([0, 1, 2, 3].map(failures => backOffMs(failures, 1))).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(backOffMs(1_000_000, 1)).toBe(30_000)
    expect(backOffMs(3, 0)).toBe(4_000)
  })
})

describe('the reason of a lost stream', () => {
  it.each([
    ['Failed to resolve hostname door: Name or service not known', 'unreachable'],
    ['tcp://10.0.0.9:554: Connection timed out', 'timeout'],
    ["Protocol 'file' not on whitelist 'http,https'!", 'not allowed'],
    ["Stream map '0:v:0' matches no streams.", 'no video'],
    ["Unrecognized option 'timeout'.\nOption not found", 'bad option'],
    ['Exiting normally', 'ended'],
  ])('is named: %s', (message, reason) => {
    expect(reasonIn(message)).toBe(reason)
  })
})
