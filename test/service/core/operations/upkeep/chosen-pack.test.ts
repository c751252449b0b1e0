/** Folders of earlier versions keep the pack that made their vectors; new ones get the standard pack. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { faceOf } from '../../../../../bench/harness/sample-faces.ts'
import { choosePack } from '../../../../../commands/models/use.ts'
import { embedderLabel } from '../../../../../core/embedding/label.ts'
import { openStores } from '../../../../../core/operations/services.ts'
import {
  chosenName,
  chosenPack,
  conversionAdvice,
} from '../../../../../core/operations/upkeep/chosen-pack.ts'
import { recordGeneration } from '../../../../../core/vector-store/generation.ts'
import { CHOICE, DLIB_PACK, STANDARD_PACK } from '../../../../../models/packs.ts'
import { temporaryFolder } from '../../../../unit/core/folder.ts'
import { enrolOne, openWorld } from '../world.ts'

/** As earlier versions recorded it. */
const DLIB = 'recognition-128-a60675b8'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const recordVectorsOf = async (embedder: string): Promise<void> => {
  await mkdir(join(data, 'vectors'), { recursive: true })
  await recordGeneration(join(data, 'vectors'), { number: 0, embedder })
}

const writeChoice = (text: string): Promise<void> => writeFile(join(data, CHOICE), text)

it('a new folder has the standard pack, and so has one that is not there yet', async () => {
  expect(await chosenName(data)).toBe('standard')
  expect(await chosenName(join(data, 'nowhere'))).toBe('standard')
})

describe('a folder whose vectors are of the earlier standard pack', () => {
  it('is served with the pack "dlib", and opens', async () => {
    await recordVectorsOf(DLIB)
    const pack = await chosenPack(data)
    expect(pack.name).toBe('dlib')
    await (await openStores(data, { embedder: embedderLabel(pack) })).close()
  })

  it('is known also where nothing was written down of what made its vectors', async () => {
    const world = await openWorld()
    await enrolOne(world, faceOf(250, 10, 10))
    await world.close()
    const pack = await chosenPack(world.data)
    expect(pack.name).toBe('dlib')
    await (await openStores(world.data, { embedder: embedderLabel(pack) })).close()
  })

  it('keeps it where an earlier version wrote "standard" as its choice', async () => {
    await writeChoice('{"pack":"standard"}\n')
    expect(await chosenName(data)).toBe('dlib')
  })

  it('has the standard pack once that is chosen by this version', async () => {
    await recordVectorsOf(DLIB)
    await choosePack(data, STANDARD_PACK)
    expect(await chosenName(data)).toBe('standard')
  })

  it('is told how to convert, and others are not', () => {
    expect(conversionAdvice(DLIB_PACK)).toContain('npm run models -- reembed standard')
    expect(conversionAdvice(STANDARD_PACK)).toBeUndefined()
  })
})

it('a new folder is known as such also when its first start is broken off', async () => {
  const embedder = embedderLabel(STANDARD_PACK)
  // No shard can be opened at this address: the list of shards is written by then.
  const shards = [{ address: 'nonsense', cells: [0, 1] }]
  await expect(openStores(data, { embedder, shards: shards as never })).rejects.toThrow()
  expect(await chosenName(data)).toBe('standard')
})

it('a folder whose vectors are of the standard pack has that', async () => {
  await recordVectorsOf(embedderLabel(STANDARD_PACK))
  expect(await chosenName(data)).toBe('standard')
})

it('any other choice stands, and what is asked for at the start goes before it', async () => {
  await recordVectorsOf(DLIB)
  await writeChoice('{"pack":"mine"}')
  expect(await chosenName(data)).toBe('mine')
  expect(await chosenName(data, 'standard')).toBe('standard')
})

it('a damaged choice is refused', async () => {
  await writeChoice('{"pack":')
  await expect(chosenName(data)).rejects.toThrow('damaged')
})
