/** Writes faces, metas, thumbnails, snapshots and clips to a folder. */

import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Face, Pages } from '../../clients/typescript/src/index.ts'
import { countText } from '../../contract/counted.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { pathBelow } from '../../contract/stored-path.ts'
import { ignoreCode, regularFiles } from '../../core/files/inspect.ts'
import { printJson, UsageError } from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'
import { pathOf } from '../terminal/paths.ts'
import type { ServiceOptions } from './options.ts'

interface ExportOptions extends ServiceOptions {
  gallery?: string
}

/** Names in the folder. Lists and pictures get their names when they are complete. */
const PICTURES = 'pictures'
const FACES = 'faces.jsonl'
const LIST = 'list.jsonl'
const PARTIAL = '.part'

/** Files that only their owner can read: they show people. */
const PRIVATE = { mode: 0o600 }

/** Time limit for one picture in milliseconds. */
const PICTURE_MS = 30_000

/**
 * Exports the faces, newest first. An interrupted export continues: pictures of unchanged faces are kept. Returns 0. Throws UsageError for
 * a folder with anything else, and with links.
 */
export async function exportFaces(options: ExportOptions, given: string): Promise<number> {
  const folder = pathOf(given)
  await requireEmptyOrInterrupted(folder)
  const { client, address } = await connect(options)
  await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 })
  const pages = client.faces.list(omitUndefined({ gallery: options.gallery }))
  const exported = await writeFaces(pages, folder, address)
  if (options.json) printJson(exported)
  else {
    console.log(`${countText(exported.faces, 'face is', 'faces are')} in ${folder}.`)
    if (exported.without_picture > 0)
      console.log(
        `Without a stored picture, and in ${FACES} only: ${countText(exported.without_picture, 'face')}.`,
      )
  }
  return 0
}

async function requireEmptyOrInterrupted(folder: string) {
  const names = await readdir(folder).catch(ignoreCode('ENOENT'))
  if (!names?.length) return
  if (!names.includes(FACES + PARTIAL)) throw new UsageError(`${folder} is not empty. Name a new folder.`)
  // A link would make the export write and remove files elsewhere.
  await regularFiles(folder, UsageError)
}

/** Returns the number of faces, and of those without a stored picture: they are in faces.jsonl only. */
async function writeFaces(pages: Pages<Face>, folder: string, address: string) {
  const exported = { faces: 0, without_picture: 0 }
  const pictures = new Set<string>()
  const before = await exportedLines(join(folder, FACES + PARTIAL))
  const faces = await open(join(folder, FACES + PARTIAL), 'w', PRIVATE.mode)
  const list = await open(join(folder, LIST + PARTIAL), 'w', PRIVATE.mode)
  try {
    for await (const { thumbnail, normalized: _, snapshot, clip, ...face } of pages) {
      const line = JSON.stringify(face)
      const isUnchanged = before.has(digestOf(line))
      const name = `${face.id}.jpg`
      const links = {
        [`${face.id}.snapshot.jpg`]: snapshot,
        [`${face.id}.clip.mp4`]: clip,
        [name]: thumbnail,
      }
      for (const [file, link] of Object.entries(links))
        if (link) {
          // Without the public URL that the link begins with: this machine may not reach it.
          const url = address + link.slice(link.lastIndexOf('/pictures/'))
          if (await writePicture(pathBelow(join(folder, PICTURES), file), url, isUnchanged))
            pictures.add(file)
        }
      if (pictures.has(name)) {
        const { meta, galleries, timestamp: time, cam_id: camera } = face
        await list.appendFile(
          `${JSON.stringify({ file: `${PICTURES}/${name}`, meta, galleries, time, camera })}\n`,
        )
      } else exported.without_picture++
      // The line comes last: an interrupted export has no line with older pictures.
      await faces.appendFile(`${line}\n`)
      exported.faces++
    }
    await removeOthers(join(folder, PICTURES), pictures)
    await Promise.all([faces.sync(), list.sync()])
  } finally {
    await Promise.all([faces.close(), list.close()])
  }
  // The faces last: they say that the export is whole.
  for (const name of [LIST, FACES]) await rename(join(folder, name + PARTIAL), join(folder, name))
  return exported
}

/** Digests of the lines of an interrupted export. */
async function exportedLines(path: string): Promise<ReadonlySet<string>> {
  const digests = new Set<string>()
  const file = await open(path).catch(ignoreCode('ENOENT'))
  if (file) for await (const line of file.readLines()) digests.add(digestOf(line))
  return digests
}

const digestOf = (line: string) => hash('sha256', line, 'base64')

/** Removes pictures of faces that were deleted since an interrupted export. */
async function removeOthers(folder: string, kept: ReadonlySet<string>) {
  for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name))
}

/** Writes the picture behind a link. `isUnchanged`: unless its file is there. Returns false when none is stored. Throws for another status. */
async function writePicture(path: string, link: string, isUnchanged: boolean) {
  if (isUnchanged && existsSync(path)) return true
  const response = await fetch(link, { signal: AbortSignal.timeout(PICTURE_MS) })
  if (response.status === 404) return false
  if (!response.ok)
    throw new Error(`A picture was answered with ${response.status}. Run the command again: it continues.`)
  await writeFile(path + PARTIAL, response.body!, PRIVATE)
  await rename(path + PARTIAL, path)
  return true
}
