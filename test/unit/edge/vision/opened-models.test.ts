import { openedModels } from '#edge/vision/opened-models.ts'
import type { VisionModels } from '#wasm/pipeline.ts'

const named = (name: string) => ({ name }) as unknown as VisionModels

it('opens the models once, also for concurrent analyses', async () => {
  let opens = 0
  const models = openedModels(async () => named(`${++opens}`))
  expect(await Promise.all([models(), models()])).toEqual([named('1'), named('1')])
})

it('opens again after a failure', async () => {
  let opens = 0
  const models = openedModels(async () => {
    if (++opens === 1) throw new Error('no memory')
    return named('second')
  })
  await expect(models()).rejects.toThrow('no memory')
  expect(await models()).toEqual(named('second'))
})
