/** Writes the report of a job: a CSV with every photo, and an HTML page with thumbnails. */
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { countText } from '../../contract/counted.ts'
import { csvRecord } from '../../contract/csv.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { readPhotoFile } from '../terminal/bounded-file.ts'
import { markupText } from '../terminal/markup.ts'
import type { JobLine } from './job.ts'
import { OUTCOME_NAMES, OUTCOMES } from './outcome.ts'
import type { PhotoList } from './photo-list.ts'

interface ReportSettings {
  /** Path without extension: `.csv` and `.html` are added. */
  out: string
  list: Pick<PhotoList, 'path' | 'base' | 'folder'>
  /** Whether the last run has read the whole list. */
  isWhole: boolean
}

/** Writes both files, readable only by their owner. Returns their paths. */
export async function writeReport(lines: readonly JobLine[], settings: ReportSettings): Promise<string[]> {
  const [csv, html] = [`${settings.out}.csv`, `${settings.out}.html`]
  await writeFile(csv, csvReport(lines), { mode: 0o600 })
  await writeFile(html, await htmlReport(lines, settings), { mode: 0o600 })
  return [csv, html]
}

const COLUMNS =
  'file,outcome,meta,line,faces,reason,like_meta,like_face,confidence,photo_hash,faces_seen'.split(',')

function* csvReport(lines: readonly JobLine[]): Generator<string> {
  yield csvRecord(COLUMNS)
  for (const { name, outcome, meta, line, faces = [], reason, similar, hash, seen } of lines)
    yield csvRecord([
      name,
      outcome,
      meta,
      line,
      faces.join(' '),
      reason,
      similar?.meta,
      similar?.face,
      similar?.confidence,
      hash,
      seen,
    ])
}

interface Category {
  title: string
  has(line: JobLine): boolean
  /** Text that follows the file and meta of a photo in the report. */
  note(line: JobLine): string
}

/** Categories of photos. Categories that need attention come first. `repeated`: hashes of photos that several rows have. */
const categoriesOf = (repeated: ReadonlySet<string>): Category[] => [
  {
    title: 'Looks like another person',
    has: ({ similar }) => similar !== undefined,
    note: ({ similar }) =>
      similar ? `like ${similar.meta} (face ${similar.face}), confidence ${similar.confidence}` : '',
  },
  {
    title: 'Shows several people, the biggest face enrolled',
    has: ({ seen }) => seen !== undefined,
    note: ({ seen, faces }) => `${seen} faces, enrolled: face ${faces?.[0]}`,
  },
  ...OUTCOME_NAMES.filter(name => !OUTCOMES[name].isDone).map(
    (name): Category => ({
      title: OUTCOMES[name].title,
      has: ({ outcome }) => outcome === name,
      note: ({ reason }) => reason ?? '',
    }),
  ),
  {
    title: 'Same photo twice',
    has: ({ hash }) => repeated.has(hash),
    note: ({ hash, outcome }) =>
      `photo ${hash.slice(0, 12)}: ${outcome === 'enrolled' ? 'enrolled' : 'not sent again'}`,
  },
  {
    title: OUTCOMES.enrolled.title,
    has: ({ outcome }) => outcome === 'enrolled',
    note: ({ faces }) => (faces?.length === 1 ? `face ${faces[0]}` : countText(faces?.length ?? 0, 'face')),
  },
]

/** Hashes of photos that several rows have. An unreadable file has none. */
function repeatedHashes(lines: readonly JobLine[]): Set<string> {
  const once = new Set<string>()
  const repeated = new Set<string>()
  for (const { hash } of lines) (once.has(hash) ? repeated : once).add(hash)
  repeated.delete('')
  return repeated
}

/** Photos of one category on the page at most. The CSV has all. */
const SHOWN = 500

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.6em}h2{font-size:1.15em;margin:2em 0 .5em}table{border-collapse:collapse}td{padding:.1em 1.5em .1em 0}
td:last-child{text-align:right}ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(15em,1fr));gap:.75em;padding:0;list-style:none}
li{border:1px solid #ddd;border-radius:6px;padding:.5em;overflow-wrap:anywhere;font-size:.9em}
img{display:block;height:96px;max-width:100%;margin-bottom:.4em;border-radius:4px}small{color:#666}b{font-weight:600}`

/** Allows this style sheet and embedded pictures, and nothing else. */
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`

/** The page: no script, nothing loaded from elsewhere. Thumbnails are made in sequence. */
async function htmlReport(lines: readonly JobLine[], { list, isWhole }: ReportSettings): Promise<string> {
  const sections: { title: string; count: number; cards: string }[] = []
  for (const { title, has, note } of categoriesOf(repeatedHashes(lines))) {
    const found = lines.filter(has)
    let cards = ''
    for (const line of found.slice(0, SHOWN)) cards += await card(list, line, note(line))
    sections.push({ title, count: found.length, cards })
  }
  const title = markupText(list.path)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${markupText(POLICY)}">
<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><h1>Enrolment of ${title}</h1>
${isWhole ? '' : '<p>The run was stopped before the end of the list.</p>\n'}<table>
${sections.map(({ title, count }) => `<tr><td>${title}</td><td>${count}</td></tr>`).join('\n')}
</table>
${sections
  .filter(({ count }) => count > 0)
  .map(
    ({ title, count, cards }) => `<h2>${title}: ${count}</h2>
${count > SHOWN ? `<p>The first ${SHOWN}. The CSV file has all.</p>\n` : ''}<ul>
${cards}</ul>
`,
  )
  .join('')}</body></html>
`
}

async function card({ base, folder }: ReportSettings['list'], { name, line, meta }: JobLine, note: string) {
  const picture = await thumbnail(resolve(base, name), folder)
  const image = picture ? `<img alt="" src="data:image/jpeg;base64,${picture.toString('base64')}">` : ''
  const file = line === undefined ? name : `line ${line}: ${name}`
  return `<li>${image}<b>${markupText(meta)}</b><br>${markupText(file)}<br><small>${markupText(note)}</small></li>\n`
}

/** Height of a thumbnail in pixels: twice the height on the page, for dense screens. The width bounds panoramas. */
const THUMBNAIL = { height: 192, width: 480, fit: 'inside', withoutEnlargement: true } as const

/** A small upright JPEG of a file; undefined for a file that cannot be read. */
const thumbnail = (path: string, folder: string | undefined) =>
  readPhotoFile(path, folder)
    .then(bytes =>
      sharp(bytes, { limitInputPixels: PHOTO_LIMITS.pixels })
        .autoOrient()
        .resize(THUMBNAIL)
        .flatten({ background: '#fff' })
        .jpeg({ quality: 70 })
        .toBuffer(),
    )
    .catch(() => undefined)
