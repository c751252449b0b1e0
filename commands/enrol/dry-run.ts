/** `mien enrol --dry-run`: says what a run would send. */
import { stat } from 'node:fs/promises'
import { type CheckedList, checkList } from './list/check-list.ts'
import type { PhotoList } from './list/photo-list.ts'
import type { Row } from './list/row.ts'

/** Prints counts, or each row as a line of JSON. */
export async function dryRun(
  list: PhotoList,
  { job, json }: { job: string; json: boolean },
): Promise<CheckedList> {
  const metas = new Set<string>()
  const checked = await checkList(list, row => {
    if (json) process.stdout.write(`${JSON.stringify(documentOf(row))}\n`)
    else metas.add(row.meta)
  })
  if (!json) console.log(await textOf(list, checked, { metas: metas.size, job }))
  return checked
}

const documentOf = ({ name, path: _, ...row }: Row): object => ({ file: name, ...row })

async function textOf(
  { path }: PhotoList,
  { photos, bytes, galleries }: CheckedList,
  { metas, job }: { metas: number; job: string },
): Promise<string> {
  const lines = [
    `${photos} photos (${(bytes / 1e6).toFixed(1)} MB) with ${metas} metas would be enrolled from ${path}.`,
  ]
  if (galleries.size > 0) lines.push(`Galleries: ${[...galleries].sort().join(', ')}`)
  if (await stat(job).catch(() => undefined))
    lines.push(`Photos that ${job} records as finished are left out.`)
  return lines.join('\n')
}
