/** The pack of a data folder: folders of earlier versions keep their pack, new folders get the standard pack. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { faceOf } from '#bench/harness/sample-faces.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { chosenName, chosenPack, conversionAdvice } from '#core/operations/upkeep/chosen-pack.ts'
import { choosePack } from '#core/packs/pack-files.ts'
import { openStores } from '#core/stores.ts'
import { recordGeneration } from '#core/vector-store/generation.ts'
import { CHOICE, MOBILEFACENET_PACK, STANDARD_PACK } from '#models/packs.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { enrolOne, openWorld } from '../world.ts'

/** The embedders' labels as earlier versions recorded them. */
const DLIB = 'recognition-128-a60675b8'
const MOBILEFACENET = 'mobilefacenet-160-e73b9794'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const recordVectorsOf = async (embedder: string): Promise<void> => {
  await mkdir(join(data, 'vectors'), { recursive: true })
  await recordGeneration(join(data, 'vectors'), { number: 0, embedder })
}

const writeChoice = (text: string): Promise<void> => writeFile(join(data, CHOICE), text)

it('chosenName is standard for a new and for a missing folder', async () => {
  expect(await chosenName(data)).toBe('standard')
  expect(await chosenName(join(data, 'nowhere'))).toBe('standard')
})

describe('chosenPack of a folder with vectors of the earlier standard pack', () => {
  it('is dlib without a recorded embedder', async () => {
    const world = await openWorld()
    await enrolOne(world, faceOf(250, 10, 10))
    await world.close()
    const pack = await chosenPack(world.data)
    expect(pack.name).toBe('dlib')
    await (await openStores(world.data, { embedder: embedderLabel(pack) })).close()
  })

  it('is dlib when an earlier version recorded "standard"', async () => {
    await writeChoice('{"pack":"standard"}\n')
    expect(await chosenName(data)).toBe('dlib')
  })

  it('is standard once this version recorded that choice', async () => {
    await recordVectorsOf(DLIB)
    await choosePack(data, STANDARD_PACK)
    expect(await chosenName(data)).toBe('standard')
  })
})

describe('chosenPack of a folder with vectors of the standard pack of 0.2', () => {
  beforeEach(() => recordVectorsOf(MOBILEFACENET))

  it('is mobilefacenet, with and without a recorded choice', async () => {
    expect(await chosenName(data)).toBe('mobilefacenet')
    await writeChoice(`{"pack":"standard","embedder":"${MOBILEFACENET}"}`)
    const pack = await chosenPack(data)
    expect([pack.name, embedderLabel(pack)]).toEqual(['mobilefacenet', MOBILEFACENET])
    expect(conversionAdvice(pack)).toContain('reembed standard')
  })

  it('has the stored embedder when the chosen pack is a detector alone', async () => {
    await writeChoice(`{"pack":"yunet","embedder":"${MOBILEFACENET}"}`)
    const pack = await chosenPack(data)
    expect([pack.name, pack.detector.kind, embedderLabel(pack)]).toEqual(['yunet', 'yunet', MOBILEFACENET])
    expect(conversionAdvice(pack)).toContain('reembed yunet')
    expect(pack.embedder.calibration).toEqual(MOBILEFACENET_PACK.embedder.calibration)
  })

  it('is the chosen pack after its conversion', async () => {
    await recordVectorsOf(embedderLabel(STANDARD_PACK))
    await writeChoice('{"pack":"yunet"}')
    expect(embedderLabel(await chosenPack(data))).toBe(embedderLabel(STANDARD_PACK))
    expect(conversionAdvice(await chosenPack(data))).toBeUndefined()
  })
})

it('chosenName is standard after an interrupted first start', async () => {
  const embedder = embedderLabel(STANDARD_PACK)
  // The address is invalid: the start fails after it has written the list of shards.
  const shards = [{ address: 'nonsense', cells: [0, 1] }]
  await expect(openStores(data, { embedder, shards: shards as never })).rejects.toThrow()
  expect(await chosenName(data)).toBe('standard')
})

it('chosenName prefers the name of the start, then any other recorded choice', async () => {
  await recordVectorsOf(DLIB)
  await writeChoice('{"pack":"mine"}')
  expect(await chosenName(data)).toBe('mine')
  expect(await chosenName(data, 'standard')).toBe('standard')
})

it('chosenName refuses a damaged choice', async () => {
  await writeChoice('{"pack":')
  await expect(chosenName(data)).rejects.toThrow('damaged')
})
