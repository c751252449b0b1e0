/** Writes faces, metas and thumbnails to a folder. */
import { mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Face, Pages } from '../../clients/typescript/src/index.ts'
import { ignoreCode } from '../../core/files/expected-errors.ts'
import { omitUndefined } from '../../edge/parameters/omit-undefined.ts'
import { printJson } from '../terminal/command-line.ts'
import { pathOf } from '../terminal/paths.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { clientOf } from './service.ts'
import type { ServiceOptions } from './service-options.ts'

export interface ExportOptions extends ServiceOptions {
  gallery?: string
}

/** Names in the folder. The two lists get their names when they are complete. */
const PICTURES = 'pictures'
const FACES = 'faces.jsonl'
const LIST = 'list.jsonl'
const PARTIAL = '.part'

/** Files that only their owner can read: they show people. */
const PRIVATE = { mode: 0o600 }

/** Time limit for one picture in milliseconds. */
const PICTURE_MS = 30_000

interface Exported {
  faces: number
  /** Faces without a stored picture. They are in faces.jsonl only. */
  without_picture: number
}

/** Exports the faces, newest first. Returns 0. Throws UsageError for a folder that is not empty. */
export async function exportFaces(options: ExportOptions, given: string): Promise<number> {
  const folder = pathOf(given)
  await requireEmpty(folder)
  const client = await clientOf(options)
  await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 })
  const exported = await writeFaces(client.faces.list(omitUndefined('gallery', options.gallery)), folder)
  if (options.json) printJson(exported)
  else {
    console.log(`${exported.faces} faces are in ${folder}.`)
    if (exported.without_picture > 0)
      console.log(`${exported.without_picture} of them have no stored picture and are in ${FACES} only.`)
  }
  return 0
}

async function requireEmpty(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ignoreCode('ENOENT'))) ?? []
  if (names.length > 0) throw new UsageError(`${folder} is not empty. Name a new folder.`)
}

async function writeFaces(pages: Pages<Face>, folder: string): Promise<Exported> {
  const exported = { faces: 0, without_picture: 0 }
  const faces = await open(join(folder, FACES + PARTIAL), 'wx', PRIVATE.mode)
  const list = await open(join(folder, LIST + PARTIAL), 'wx', PRIVATE.mode)
  try {
    for await (const { thumbnail, normalized: _, ...face } of pages) {
      await faces.write(`${JSON.stringify(face)}\n`)
      exported.faces++
      const picture = await pictureAt(thumbnail)
      if (!picture) {
        exported.without_picture++
        continue
      }
      const file = `${PICTURES}/${face.id}.jpg`
      await writeFile(join(folder, file), picture, PRIVATE)
      await list.write(`${JSON.stringify(listLine(file, face))}\n`)
    }
    await Promise.all([faces.sync(), list.sync()])
  } finally {
    await Promise.all([faces.close(), list.close()])
  }
  for (const name of [FACES, LIST]) await rename(join(folder, name + PARTIAL), join(folder, name))
  return exported
}

/** A line for `mien enrol`. */
const listLine = (
  file: string,
  { meta, galleries, cam_id, timestamp }: Omit<Face, 'thumbnail' | 'normalized'>,
) => ({
  file,
  meta,
  galleries,
  time: timestamp,
  ...omitUndefined('camera', cam_id),
})

/** The picture behind a signed link; undefined when none is stored. Throws for another status. */
async function pictureAt(link: string): Promise<Uint8Array | undefined> {
  const response = await fetch(link, { signal: AbortSignal.timeout(PICTURE_MS) })
  if (response.status === 404) return undefined
  if (!response.ok)
    throw new Error(
      `A picture was answered with ${response.status}. Nothing is complete: run the command again.`,
    )
  return new Uint8Array(await response.arrayBuffer())
}
