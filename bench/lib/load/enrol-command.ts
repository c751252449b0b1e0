/** Runs of `mien enrol` with photos of people. */
import { spawn } from 'node:child_process'
import { glob, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { progress } from '../../benchmark.ts'
import { memoryOf } from '../../harness/processes.ts'
import type { Service } from '../../harness/service.ts'
import { newToken } from '../../harness/tokens.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

const MEMORY_EVERY_MS = 500

/** Paths of all photos of `PERSON/`, sorted. */
export async function photosIn(images: string): Promise<string[]> {
  const found: string[] = []
  for await (const name of glob('*/*.jpg', { cwd: images })) found.push(join(images, name))
  return found.sort()
}

export interface Run {
  seconds: number
  enrolled: number
  /** Megabytes over time. Empty when it was not measured. */
  memory: number[]
}

/** The command with a list of the photos, its start included. */
export async function enrolCommand(
  { edge, data }: Service,
  owner: string,
  photos: readonly string[],
  folder: string,
): Promise<Run> {
  const list = join(folder, `${owner}.jsonl`)
  await writeFile(list, photos.map(file => JSON.stringify({ file, meta: metaOf(file) })).join('\n'))
  const env = { ...process.env, MIEN_URL: edge, MIEN_TOKEN: newToken(data, owner) }
  progress(`  ${owner}: ${photos.length} photos`)
  const began = performance.now()
  const child = spawn(process.execPath, [MIEN, 'enrol', list, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const memory: number[] = []
  const sampled = setInterval(async () => {
    const megabytes = await memoryOf(child.pid!, 'VmRSS').catch(() => Number.NaN)
    if (!Number.isNaN(megabytes)) memory.push(megabytes)
  }, MEMORY_EVERY_MS)
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  clearInterval(sampled)
  const seconds = (performance.now() - began) / 1000
  return { seconds, enrolled: JSON.parse(printed).outcomes.enrolled, memory }
}

/** The person on a photo: the name of its folder. */
export const metaOf = (path: string): string => basename(dirname(path))
