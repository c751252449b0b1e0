/** Times and faces of packs and of face-api's detectors over HTTP, by turns. */
import { cp, readFile } from 'node:fs/promises'
import type { Box } from '#contract/model/bbox.ts'
import { packFolder } from '#models/packs.ts'
import { form } from '#test/support/client.ts'
import { exists } from '../../benchmark.ts'
import { startChild } from '../../child.ts'
import type { Rig } from '../../rig.ts'
import { fixed, sum, timed } from '../../statistics.ts'
import { atScore, type Judged } from '../statistics/average-precision.ts'

/** Minimum size in pixels of faces that count for the recall, and the overlap that finds one. */
const SIDE = 50
const ENOUGH_OVERLAP = 0.35

interface SentPhoto {
  readonly path: string
  /** True boxes, if they are known. */
  readonly boxes?: readonly Box[]
}

/** A detector in a service. `identify` embeds the biggest face, or that with the highest score. */
interface Contestant {
  readonly name: string
  detect(photo: Uint8Array<ArrayBuffer>): Promise<readonly Box[]>
  identify(photo: Uint8Array<ArrayBuffer>): Promise<unknown>
}

/** A service with the pack, which it takes from the data folder. */
async function openPack(rig: Rig, data: string, name: string): Promise<Contestant> {
  const own = await rig.folder()
  if (await exists(packFolder(data, name)))
    await cp(packFolder(data, name), packFolder(own, name), { recursive: true })
  const { send } = await rig.service({ data: own, env: { MIEN_PACK: name } })
  const ask = async (path: string, photo: Uint8Array<ArrayBuffer>) => {
    const { status, body } = await send('POST', path, form({ photo }))
    if (status !== 200 && body.code !== 'NO_FACES') throw new Error(`${path} answered ${status}`)
    return body
  }
  return {
    name: `pack ${name}`,
    detect: async photo => (await ask('/v1/detect', photo)).faces ?? [],
    identify: photo => ask('/v1/identify', photo),
  }
}

/** face-api with its two detectors, in one process. */
async function openFaceApi(rig: Rig): Promise<Contestant[]> {
  const child = startChild<{ port: number }>(new URL('face-api.child.ts', import.meta.url), {})
  rig.defer(() => child.stop())
  const { port } = await child.next()
  return ['ssd', 'tiny'].map(name => {
    const ask = (operation: string) => async (body: Uint8Array<ArrayBuffer>) =>
      (await fetch(`http://127.0.0.1:${port}/${name}/${operation}`, { method: 'POST', body })).json()
    return { name: `face-api ${name}`, detect: ask('detect'), identify: ask('identify') }
  })
}

/** Starts packs of the data folder, and face-api. */
export async function openContestants(
  rig: Rig,
  data: string,
  packs: readonly string[],
): Promise<Contestant[]> {
  const contestants: Contestant[] = []
  for (const name of packs) contestants.push(await openPack(rig, data, name))
  return [...contestants, ...(await openFaceApi(rig))]
}

type Operation = 'detect' | 'identify'

/**
 * A row for each contestant: for each operation the mean over the photos of the shortest time, in milliseconds and as a
 * multiple of the first contestant's; then the faces that it finds.
 */
export async function compareOverHttp(
  contestants: readonly Contestant[],
  photos: readonly SentPhoto[],
  operations: readonly Operation[],
  runs: number,
) {
  const rows = contestants.map(({ name }) => ({
    name,
    ms: new Map<Operation, number>(),
    judged: [] as Judged[],
  }))
  for (const { path, boxes = [] } of photos) {
    const photo = new Uint8Array(await readFile(path))
    for (const [i, { detect }] of contestants.entries())
      rows[i]!.judged.push({
        truth: boxes,
        found: (await detect(photo)).map(box => ({ box, score: 1 })),
      })
    for (const operation of operations) {
      const least = await leastByTurns(
        contestants.map(one => () => one[operation](photo)),
        runs,
      )
      for (const [i, { ms }] of rows.entries())
        ms.set(operation, (ms.get(operation) ?? 0) + least[i]! / photos.length)
    }
  }
  return rows.map(({ name, ms, judged }) => ({
    name,
    ...Object.fromEntries(
      [...ms].flatMap(([operation, own]) => [
        [`${operation} ms`, fixed(own)],
        [`${operation} ratio`, fixed(own / rows[0]!.ms.get(operation)!, 2)],
      ]),
    ),
    faces: sum(judged.map(({ found }) => found.length)),
    ...(photos.some(({ boxes }) => boxes) && {
      recall: fixed(atScore(judged, SIDE, ENOUGH_OVERLAP, 0).recall, 3),
    }),
  }))
}

/** The shortest time of each task, in milliseconds. The tasks take turns, which spreads the load of the machine. */
async function leastByTurns(tasks: readonly (() => Promise<unknown>)[], runs: number): Promise<number[]> {
  const least = tasks.map(() => Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < runs; turn++)
    for (const [i, task] of tasks.entries()) least[i] = Math.min(least[i]!, await timed(task))
  return least
}
