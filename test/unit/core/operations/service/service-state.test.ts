/** The state of the service: its calibration, its shards and its backups. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACK_LIMITS } from '#contract/limits/packs.ts'
import { ServiceStateSchema } from '#contract/model/service-state.ts'
import { reportOf } from '#core/calibration/scale.ts'
import {
  BACKUP_COMPLETED,
  BACKUP_FAILED,
  BACKUP_STARTED,
  DRILL_COMPLETED,
  insertEntries,
} from '#core/metadata/audit-log/entries.ts'
import { openDatabase } from '#core/metadata/database.ts'
import { type ServiceFacts, serviceState, thinPoints } from '#core/operations/service/service-state.ts'
import type { Services } from '#core/operations/services.ts'
import { STANDARD } from '#models/manifest.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../../folder.ts'

const PACK = { name: 'standard', ...STANDARD }

const CURVE = times(300, i => [i / 300, i / 300] as const)

const FACTS: ServiceFacts = {
  version: '1.2.3',
  pack: 'standard',
  embedder: 'colours-3',
  started: Date.UTC(2026, 0, 1),
  calibration: { report: reportOf(PACK, 'alike'), curve: CURVE },
  hasBackupPlace: false,
  hasWatcher: false,
  durations: async () => [],
}

/** A core with two shards. One shard is unavailable. */
async function core(): Promise<Pick<Services, 'database' | 'vectors' | 'diskSpace'>> {
  const database = await openDatabase(await temporaryFolder())
  onTestFinished(() => database.$client.close())
  const states = async () => [{ isAvailable: true, contents: { linear: 7 } }, { isAvailable: false }]
  return { database, vectors: { states }, diskSpace: { isFull: async () => false } } as never
}

it('has the shards without their contents, and the error rates of the table in use', async () => {
  const state = await serviceState(await core(), FACTS)
  expect(ServiceStateSchema.parse(state)).toEqual(state)
  expect(state.shards).toEqual({ live: 1, total: 2, available: [true, false] })
  expect(state.backup).toEqual({})
  const { measured } = STANDARD.embedder.calibration
  expect(state.calibration!.thresholds).toContainEqual({
    name: 'medium',
    confidence: 0.6616,
    fmr: measured!.alike!.medium.alike,
    tmr: measured!.alike!.medium.same,
  })
  expect(state.calibration!.curve).toHaveLength(PACK_LIMITS.calibrationPoints)
})

it('has a watcher as soon as the machine has ffmpeg', async () => {
  const facts = { ...FACTS, hasWatcher: true }
  const folder = await temporaryFolder()
  const path = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = path
  })
  process.env.PATH = folder
  expect((await serviceState(await core(), facts)).has_watcher).toBe(false)
  await writeFile(join(folder, 'ffmpeg'), '', { mode: 0o700 })
  expect((await serviceState(await core(), facts)).has_watcher).toBe(true)
})

it('has no error rates for a table without measured rates', async () => {
  const { measured: _, ...calibrations } = STANDARD.embedder.calibration
  const calibration = { report: { ...FACTS.calibration!.report, calibrations }, curve: CURVE }
  const { calibration: state } = await serviceState(await core(), { ...FACTS, calibration })
  expect(state!.thresholds[0]).toEqual({ name: 'low', confidence: 0.569 })
})

it('has the times of the last backup, its failure and the last drill, each only if it was', async () => {
  const parts = await core()
  const entry = (action: string, day: number) =>
    insertEntries(parts.database, [{ actor: 'operator root', action }], Date.UTC(2026, 0, day))
  await entry(BACKUP_STARTED, 1)
  await entry(BACKUP_COMPLETED, 2)
  await entry(BACKUP_STARTED, 3)
  const begun = { started: '2026-01-03T00:00:00.000000', completed: '2026-01-02T00:00:00.000000' }
  expect((await serviceState(parts, FACTS)).backup).toEqual(begun)
  await entry(BACKUP_FAILED, 4)
  await entry(DRILL_COMPLETED, 5)
  const state = await serviceState(parts, FACTS)
  expect(state.backup).toEqual({
    ...begun,
    failed: '2026-01-04T00:00:00.000000',
    drilled: '2026-01-05T00:00:00.000000',
  })
  expect(ServiceStateSchema.parse(state)).toEqual(state)
})

it.each([1, 2, 63, 64, 65, 500])('thins %d points to at most 64, with both ends', count => {
  const points = times(count, i => i)
  const thin = thinPoints(points, 64)
  expect(thin.length).toBe(Math.min(count, 64))
  expect([thin[0], thin.at(-1)]).toEqual([0, count - 1])
  expect(new Set(thin).size).toBe(thin.length)
})
