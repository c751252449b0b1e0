import { expect, it } from 'vitest'
import { openedModels, type ReleasableModels } from '#edge/vision/opened-models.ts'
import type { VisionModels } from '#wasm/pipeline.ts'

/** Models that record their release. */
function models(name: string, released: string[]): ReleasableModels {
  return { models: { name } as unknown as VisionModels, release: async () => void released.push(name) }
}

const nameOf = async (present: VisionModels) => (present as unknown as { name: string }).name

it('opens the models once, also for concurrent analyses', async () => {
  let opens = 0
  const opened = openedModels(async () => models(`${++opens}`, []))
  expect(await Promise.all([opened.use(nameOf), opened.use(nameOf)])).toEqual(['1', '1'])
})

it('opens again after a failure', async () => {
  let opens = 0
  const opened = openedModels(async () => {
    if (++opens === 1) throw new Error('no memory')
    return models('second', [])
  })
  await expect(opened.use(nameOf)).rejects.toThrow('no memory')
  expect(await opened.use(nameOf)).toBe('second')
})

it('gives later analyses the replacement, and releases the earlier models after their last analysis', async () => {
  const released: string[] = []
  const opened = openedModels(async () => models('first', released))
  const analysis = Promise.withResolvers<void>()
  const running = opened.use(async present => {
    await analysis.promise
    return nameOf(present)
  })
  await opened.use(nameOf)
  opened.replace(models('second', released))
  expect(await opened.use(nameOf)).toBe('second')
  expect(released).toEqual([])
  analysis.resolve()
  expect(await running).toBe('first')
  expect(released).toEqual(['first'])
})

it('releases models that were replaced while they loaded', async () => {
  const released: string[] = []
  const loading = Promise.withResolvers<ReleasableModels>()
  const opened = openedModels(() => loading.promise)
  const analysis = opened.use(nameOf)
  opened.replace(models('second', released))
  loading.resolve(models('first', released))
  expect(await analysis).toBe('second')
  expect(released).toEqual(['first'])
})
