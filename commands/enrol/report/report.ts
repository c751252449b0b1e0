/** Writes the report of a job: a CSV with every photo, and an HTML page with thumbnails. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Job } from '../job/job.ts'
import { type JobLine, jobLines } from '../job/job-file.ts'
import type { PhotoList } from '../list/photo-list.ts'
import { type Category, categoriesOf } from './categories.ts'
import { csvRecord } from './csv-record.ts'
import { htmlReport } from './html.ts'

export interface ReportSettings {
  /** Path without extension: `.csv` and `.html` are added. */
  out: string
  list: Pick<PhotoList, 'path' | 'base' | 'folder'>
  /** Whether the last run has read the whole list. Then photos that are no longer in the list are left out. */
  isWhole: boolean
}

/** Photos of one category on the page at most. The CSV has all. */
const SHOWN = 500

const COLUMNS = [
  'file',
  'outcome',
  'meta',
  'line',
  'faces',
  'reason',
  'like_meta',
  'like_face',
  'confidence',
  'photo_hash',
]

/** Reads the job file and writes both files, readable only by their owner. Returns their paths. */
export async function writeReport(job: Job, settings: ReportSettings): Promise<string[]> {
  const paths = [`${settings.out}.csv`, `${settings.out}.html`] as const
  const { list, isWhole } = settings
  const categories = categoriesOf(await repeatedHashes(job, settings))
  await writeText(paths[0], csvReport(job, settings))
  const shown = new Map<Category, { lines: JobLine[]; count: number }>(
    categories.map(category => [category, { lines: [], count: 0 }]),
  )
  for await (const line of currentLines(job, settings)) {
    for (const [category, found] of shown) {
      if (!category.has(line)) continue
      found.count++
      if (found.lines.length < SHOWN) found.lines.push(line)
    }
  }
  await writeText(paths[1], htmlReport({ ...list, title: list.path, isWhole }, shown))
  return [...paths]
}

/** The last word of the job on each photo. */
async function* currentLines(job: Job, { isWhole }: ReportSettings): AsyncGenerator<JobLine> {
  for await (const line of jobLines(job.path)) if (job.isCurrent(line, isWhole)) yield line
}

async function* csvReport(job: Job, settings: ReportSettings): AsyncGenerator<string> {
  yield csvRecord(COLUMNS)
  for await (const { name, outcome, meta, line, faces, reason, similar, hash } of currentLines(job, settings))
    yield csvRecord([
      name,
      outcome,
      meta,
      line ?? '',
      (faces ?? []).join(' '),
      reason ?? '',
      similar?.meta ?? '',
      similar?.face ?? '',
      similar?.confidence ?? '',
      hash,
    ])
}

/** Hashes of photos that several rows have. */
async function repeatedHashes(job: Job, settings: ReportSettings): Promise<Set<string>> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for await (const { hash } of currentLines(job, settings)) {
    // A part of the hash saves memory. An unreadable file has no hash.
    const part = hash.slice(0, 32)
    if (part !== '' && seen.has(part)) repeated.add(hash)
    seen.add(part)
  }
  return repeated
}

/** Writes texts as they come, to a private file. */
const writeText = (path: string, texts: AsyncIterable<string>): Promise<void> =>
  pipeline(texts, createWriteStream(path, { mode: 0o600 }))
