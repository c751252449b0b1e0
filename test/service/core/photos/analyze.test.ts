/** Photos that core analyses: the same result as at the edge, within bounds. */

import { type AnalyzerCrash, type AnalyzerLimits, openAnalyzer } from '#core/photos/analyze.ts'
import { readModel } from '#models/files.ts'
import { sample } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { deadly } from '#test/unit/wasm/decode/samples.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

const photo = await sample(1)
const ALL = { selector: 'all' as const, boxes: [] }

function openForTest(limits?: AnalyzerLimits, onFall?: (how: AnalyzerCrash, count: number) => void) {
  const opened = openAnalyzer({ ...(limits && { limits }), ...(onFall && { onCrash: onFall }) })
  onTestFinished(() => opened.close())
  return opened
}

it('openAnalyzer returns what analyzePhoto returns, and does not detach the bytes, also within a larger buffer', {
  tags: 'long',
}, async () => {
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel)
  const expected = await analyzePhoto(models, photo, ALL, { maxBytes: 2 ** 30, param: 'photo' })
  const message = new Uint8Array(photo.length + 20)
  message.set(photo, 10)
  const part = message.subarray(10, 10 + photo.length)
  const sighting = await openForTest().analyze(part, ALL, 'photo')
  expect(sighting).toEqual(expected)
  expect(sighting.selected.length).toBeGreaterThan(0)
  expect(part).toEqual(photo)
})

it('openAnalyzer gives up a photo after its time limit, and another analyser is unaffected', {
  tags: 'long',
}, async () => {
  const patient = openForTest({ photos: 2, milliseconds: 10_000 })
  const hasty = openForTest({ photos: 2, milliseconds: 1 })
  await expect(hasty.analyze(photo, ALL, 'photo')).toBeRefused('BAD_IMAGE', 'photo')
  await expect(hasty.analyze(photo, ALL, 'photo')).toBeRefused('BAD_IMAGE')
  expect((await patient.analyze(photo, ALL, 'photo')).selected.length).toBeGreaterThan(0)
})

it('openAnalyzer does not count the start of its thread as time of a photo', { tags: 'long' }, async () => {
  const before = performance.now()
  await openForTest().analyze(photo, undefined, 'photo')
  const hasty = openForTest({ photos: 1, milliseconds: Math.round((performance.now() - before) / 2) })
  expect((await hasty.analyze(photo, undefined, 'photo')).faces.length).toBeGreaterThan(0)
})

it('openAnalyzer counts a photo that kills a decoder, refuses it, and analyses the next one', {
  tags: 'long',
}, async () => {
  const falls: [AnalyzerCrash, number][] = []
  const opened = openForTest(undefined, (how, count) => falls.push([how, count]))
  for (const count of [1, 2]) {
    await expect(opened.analyze(deadly(photo), ALL, 'photo')).toBeRefused('BAD_IMAGE')
    expect(falls).toHaveLength(count)
    expect((await opened.analyze(photo, ALL, 'photo')).selected.length).toBeGreaterThan(0)
  }
  await expect(opened.analyze(photo.subarray(0, 2_000), ALL, 'photo')).toBeRefused('BAD_IMAGE')
  expect(falls).toEqual([
    ['error', 1],
    ['error', 2],
  ])
})

it('openAnalyzer queues a few photos and refuses more', { tags: 'long' }, async () => {
  const busy = openForTest({ photos: 2, milliseconds: 10_000 })
  const outcomes = await Promise.allSettled(times(4, () => busy.analyze(photo, undefined, 'photo')))
  expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(outcomes[3]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
  expect((await busy.analyze(photo, undefined, 'photo')).faces.length).toBeGreaterThan(0)
})
