/** Exported evidence: content of the file, owners of the events, and verification. */

import { spawnSync } from 'node:child_process'
import { hash, verify } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { EVIDENCE_LIMITS } from '#contract/limits/events.ts'
import type { StreamRequest } from '#contract/operations/messages.ts'
import { markOwnerDeleted } from '#core/metadata/access/owners.ts'
import { insertPersons } from '#core/metadata/persons/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { evidenceHandlers, exportEvidence } from '#core/operations/events/evidence-export.ts'
import { putFootage } from '#core/operations/events/snapshots-and-clips.ts'
import { FACE, faceOf, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { cameraOf, emptyWorld, enrolOne, it, type World } from '../world.ts'

const CLIP = Buffer.from('\0\0\0\x18ftypisom and a video', 'latin1')

type Asked = Partial<StreamRequest<'evidence.export'>>

/** Unpacks the file of an export by an independent program, and returns a function that reads a file of it. */
async function unpacked(world: World, request: Asked = {}) {
  const filter = { cameras: [] }
  const pieces: Buffer[] = []
  for await (const parts of exportEvidence(world, { owner: OWNER, by: TOKEN, filter, ...request }))
    pieces.push(...parts.map(({ bytes }) => Buffer.from(bytes, 'base64')))
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'a.zip'), Buffer.concat(pieces))
  const { status, stderr } = spawnSync('python3', ['-m', 'zipfile', '-e', join(folder, 'a.zip'), folder])
  expect(String(stderr)).toBe('')
  expect(status).toBe(0)
  return (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined)
}

/** Two events of a camera, one with a clip, and one of another owner. */
async function seen() {
  const world = await emptyWorld()
  const camera = await cameraOf(world, OWNER, { meta: '=door', options: { clip: true } })
  const timestamp = Date.UTC(2026, 0, 31, 23, 30) * 1000
  const first = await enrolOne(world, FACE, { camera, meta: 'Ann "A"', timestamp })
  await putFootage(world, { owner: OWNER, id: first, kind: 'clip' }, CLIP)
  const second = await enrolOne(world, faceOf(4, 5, 6), { camera })
  const other = await cameraOf(world, OTHER_OWNER)
  const theirs = await enrolOne(world, faceOf(7, 8, 9), { owner: OTHER_OWNER, camera: other })
  return { world, camera, first, second, theirs }
}

describe('exportEvidence', { tags: 'long' }, () => {
  it('has pictures, clips, a table with times in both zones, and a manifest that the public key verifies', async () => {
    const { world, first, second, theirs } = await seen()
    const file = await unpacked(world, { timeZone: 'Europe/Berlin' })
    const manifest = file('manifest.json')!
    const { owner, events, files, omitted } = JSON.parse(String(manifest))
    expect([owner, events, omitted]).toEqual([OWNER, 2, []])
    expect(files.map(({ name }: { name: string }) => name)).toEqual([
      `${first}/thumbnail.jpg`,
      `${first}/clip.mp4`,
      `${second}/thumbnail.jpg`,
      'events.csv',
    ])
    for (const { name, bytes, sha256 } of files) {
      expect(hash('sha256', file(name)!)).toBe(sha256)
      expect(file(name)).toHaveLength(bytes)
    }
    expect(CLIP.equals(file(`${first}/clip.mp4`)!)).toBe(true)
    const [head, row] = String(file('events.csv')).split('\r\n')
    expect(head).toMatch(/^\uFEFF"event"/)
    expect(head).toContain('"time (Europe/Berlin)","time (UTC)"')
    expect(row).toContain('"2026-02-01 00:30:00 GMT+01:00","2026-01-31T23:30:00.000000Z","\'=door"')
    expect(row).toContain('"Ann ""A"""')
    expect(String(manifest) + file('events.csv')).not.toContain(String(theirs))
    const { keys } = await evidenceHandlers['evidence.keys'](world)
    expect(String(file('public-key.pem'))).toBe(keys[0]!.public_key)
    expect(verify(null, manifest, keys[0]!.public_key, file('manifest.sig')!)).toBe(true)
  })

  it('is of one event, or refuses an event of another owner, a camera without one and an unknown zone', async () => {
    const { world, first, second, theirs } = await seen()
    const file = await unpacked(world, { event: second })
    expect([file(`${first}/thumbnail.jpg`), file(`${second}/thumbnail.jpg`) !== undefined]).toEqual([
      undefined,
      true,
    ])
    await expect(unpacked(world, { event: theirs })).toBeRefused('NOT_FOUND')
    await expect(unpacked(world, { filter: { cameras: ['ab'.repeat(16)] } })).toBeRefused('NOT_FOUND')
    await expect(unpacked(world, { timeZone: 'Mars' })).toBeRefused('BAD_PARAM')
  })

  it('answers the names of persons, and an empty name for a person without one', async ({ world }) => {
    await insertPersons(world.database, [
      { owner: OWNER, id: 1, meta: 'autogenerated' },
      { owner: OWNER, id: 2, meta: 'Ann' },
    ])
    const camera = await cameraOf(world, OWNER)
    for (const [i, face] of [
      { personId: 1, meta: 'guest' },
      { personId: 2, meta: 'guest' },
      { personId: null, meta: '', candidate: 1, candidateConfidence: 0.5 },
    ].entries()) {
      const id = await enrolOne(world, faceOf(i, 2, 3), { camera, personId: 2 })
      await world.database.update(faces).set(face).where(eq(faces.id, id))
    }
    const rows = String((await unpacked(world))('events.csv'))
      .split('\r\n')
      .slice(1, 4)
    expect(rows.map(row => row.split(',').slice(5, 9).join())).toEqual([
      '"1","guest","",""',
      '"2","Ann","",""',
      '"","","","0.5"',
    ])
  })

  it('is refused beside too many others of its owner', async () => {
    const { world } = await seen()
    const open = (owner = OWNER) => exportEvidence(world, { owner, by: TOKEN, filter: { cameras: [] } })
    const running = times(EVIDENCE_LIMITS.exportsPerOwner, () => open())
    for (const one of running) await one.next()
    await expect(open().next()).toBeRefused('RATE_LIMITED')
    expect((await open(OTHER_OWNER).next()).done).toBe(false)
    await running[0]!.return({})
    expect((await open().next()).done).toBe(false)
  })

  it('lists files that are gone', async () => {
    const { world, first } = await seen()
    await world.pictures.remove([{ owner: OWNER, id: first }])
    const file = await unpacked(world, { event: first })
    expect(JSON.parse(String(file('manifest.json'))).omitted).toEqual([
      `${first}/thumbnail.jpg`,
      `${first}/clip.mp4`,
    ])
  })

  it('is signed by another key after a renewal', async () => {
    const { world } = await seen()
    const [before] = (await evidenceHandlers['evidence.keys'](world)).keys
    await markOwnerDeleted(world.database, 'second')
    const { key } = await evidenceHandlers['evidence.key'](world, { owner: OWNER, by: TOKEN })
    const { keys } = await evidenceHandlers['evidence.keys'](world)
    expect(keys).toEqual([key, { ...before, signs: false }])
    const file = await unpacked(world)
    expect(verify(null, file('manifest.json')!, key.public_key, file('manifest.sig')!)).toBe(true)
  })
})
