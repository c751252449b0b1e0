/** The choice of a detector in core: its download, its refusals, and a choice of another program. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sample } from '#bench/harness/client.ts'
import { readAnnouncement } from '#contract/rpc/headers.ts'
import { reportOf, tableScale } from '#core/calibration/scale.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { type DetectorOptions, openDetectors } from '#core/packs/detectors.ts'
import { choosePack } from '#core/packs/pack-files.ts'
import { openPackInUse, type PackInUse } from '#core/packs/pack-in-use.ts'
import {
  type PlacedPack,
  packFolder,
  packNamed,
  readChoice,
  requireUsable,
  STANDARD_PACK,
  tableOf,
} from '#models/packs.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { type ServedPack, servedPack } from './served-pack.ts'

let data: string
let database: Database
let served: ServedPack
let inUse: PackInUse
let events: string[]
beforeEach(async () => {
  data = await temporaryFolder()
  database = await openDatabase(data, {})
  onTestFinished(() => closeDatabase(database))
  served = await servedPack(data, 'mine')
  events = []
  inUse = await openPackInUse({
    pack: STANDARD_PACK,
    onCrash: () => {},
    calibrate(pack: PlacedPack) {
      const curve = tableOf(requireUsable(pack), 'default')
      return { scale: tableScale(curve), curve, report: reportOf(requireUsable(pack), 'default') }
    },
  })
  onTestFinished(() => inUse.close())
})

function opened(options: Partial<DetectorOptions> = {}) {
  const log = (event: string) => void events.push(event)
  const detectors = openDetectors({ data, database, inUse, isFixed: false, log, everyMs: 10, ...options })
  onTestFinished(() => detectors.stop())
  return detectors
}

const eventually = <T>(value: () => T) => expect.poll(value, { timeout: 30_000 })

const MINE = { pack: 'mine', kind: 'yunet', licences: ['MIT'] }

describe('use', () => {
  it('downloads, verifies and chooses a pack, shows the progress, and goes back', async () => {
    const detectors = opened()
    const before = readAnnouncement(inUse.announced())!
    served.answer = 'half'
    const { packs, download } = await detectors.use('mine')
    expect(packs.map(({ pack }) => pack)).toEqual(['standard', 'yunet', 'mine'])
    const total = packs[2]!.bytes
    expect(packs[2]).toEqual({ ...MINE, in_use: false, files: 'missing', bytes: expect.any(Number) })
    expect(download).toMatchObject({ pack: 'mine', state: 'running', total })
    await eventually(async () => (await detectors.state()).download?.bytes).toBe(total >> 1)
    await expect(detectors.use('yunet')).rejects.toMatchObject({
      code: 'BAD_PARAM',
      detail: { param: 'pack' },
    })
    expect((await detectors.use('mine')).download?.state).toBe('running')
    expect(served.ranges).toHaveLength(1)
    expect(await readChoice(data)).toBeUndefined()
    served.finish()
    await expect
      .poll(async () => (await detectors.state()).packs[2], { timeout: 30_000 })
      .toMatchObject({ in_use: true, files: 'verified' })
    await eventually(async () => (await detectors.state()).download).toBeUndefined()
    expect(await readChoice(data)).toMatchObject({ pack: 'mine' })
    expect((await inUse.analyze(await sample(1), undefined, 'photo')).faces).toHaveLength(1)
    const after = readAnnouncement(inUse.announced())!
    expect(after.started).toBeGreaterThan(before.started)
    expect(after.id).not.toBe(before.id)
    expect((await detectors.use('standard')).packs[0]).toMatchObject({ pack: 'standard', in_use: true })
    expect(readAnnouncement(inUse.announced())).toEqual({ started: expect.any(Number), id: before.id })
  })

  it('keeps the detector when a download fails, and downloads again when asked again', async () => {
    const detectors = opened()
    for (const answer of ['refuse', 'other'] as const) {
      served.answer = answer
      await detectors.use('mine')
      await eventually(async () => (await detectors.state()).download?.state).toBe('failed')
      expect([inUse.pack().name, await readChoice(data)]).toEqual(['standard', undefined])
    }
    expect(events).toEqual(['detector not downloaded', 'detector not downloaded'])
    served.answer = 'whole'
    await detectors.use('mine')
    await eventually(() => inUse.pack().name).toBe('mine')
    await detectors.use('standard')
    await appendFile(join(packFolder(data, 'mine'), 'mine-eyes.onnx'), 'x')
    expect((await detectors.state()).packs[2]).toMatchObject({ files: 'damaged' })
    await detectors.use('mine')
    await eventually(() => inUse.pack().name).toBe('mine')
  })

  it('refuses a pack with other vectors, and any other pack while the start names one or there are several owners', async () => {
    await expect(opened().use('opencv')).rejects.toMatchObject({ code: 'BAD_PARAM' })
    const fixed = opened({ isFixed: true })
    expect(await fixed.state()).toMatchObject({ fixed_by: 'start' })
    await expect(fixed.use('mine')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      detail: { reason: expect.stringContaining('--pack') },
    })
    expect((await fixed.use('standard')).fixed_by).toBe('start')
    for (const id of ['ann', 'bob']) await ownerNamed(database, { id, name: id, created: 0 })
    expect(await opened().state()).toMatchObject({ fixed_by: 'owners' })
    await expect(opened().use('mine')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(served.ranges).toEqual([])
  })
})

it('follows a choice of another program, and logs one that needs a new start once', async () => {
  opened()
  await choosePack(data, await packNamed(data, 'dlib'))
  await eventually(() => events).toEqual(['pack not changed'])
  const mine = await packNamed(data, 'mine')
  await choosePack(data, mine)
  await eventually(() => events).toEqual(['pack not changed', 'pack not changed'])
  expect(inUse.pack().name).toBe('standard')
  await choosePack(data, STANDARD_PACK)
  await opened().use('mine')
  await eventually(() => inUse.pack().name).toBe('mine')
  await choosePack(data, STANDARD_PACK)
  await eventually(() => inUse.pack().name).toBe('standard')
})
