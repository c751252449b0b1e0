/** Faces over two shards, one of which is another core that is killed, frozen, and heard from again. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { forgetFace } from '../../../core/recognition/forget.ts'
import { identify } from '../../../core/recognition/identify.ts'
import { cellOf } from '../../../core/store/cells.ts'
import { parseLayout, recordLayout } from '../../../core/store/layout.ts'
import { startCore } from '../core-process.ts'
import { temporaryFolder } from '../folder.ts'
import { faceOf, OWNER } from './samples.ts'
import { enrolOne, kept, keptOf, openWorld } from './world.ts'

const question = { owner: OWNER, gallery: 'default', threshold: 0.5, limit: 100 }
const red = faceOf(250, 0, 0)

/** A service of which the upper half of all cells are in another core. */
async function openWithRemote() {
  const remote = startCore(await temporaryFolder())
  const data = await temporaryFolder()
  const folder = join(data, 'vectors')
  await mkdir(folder)
  const places = [
    { address: 'local', cells: '0-511' },
    { address: `http://127.0.0.1:${await remote.port}`, cells: '512-1023' },
  ]
  await recordLayout(folder, parseLayout(JSON.stringify(places), 'the test'))
  const world = await openWorld(data)
  return { world, remote, search: (strict?: boolean) => identify(world, withStrict(strict), [red.chip.data]) }
}

const withStrict = (strict?: boolean) => (strict === undefined ? question : { ...question, strict })
const isRemote = (id: number) => cellOf(id) >= 512

type Opened = Awaited<ReturnType<typeof openWithRemote>>

/** Faces of the same looks, until there are some in both shards. */
async function enrolSome({ world }: Opened) {
  const ids: number[] = []
  while (!ids.some(isRemote) || ids.every(isRemote)) ids.push(await enrolOne(world, red))
  return { here: ids.filter(id => !isRemote(id)), there: ids.filter(isRemote) }
}

const found = async (answer: ReturnType<Opened['search']>) => {
  const { matches, live, total } = await answer
  return { ids: matches[0]!.map(({ face }) => face.id).sort((a, b) => a - b), live, total }
}

const away = { name: 'StoreAway', why: 'away' }
