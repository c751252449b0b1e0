/** The report as one HTML page: no script, nothing loaded from elsewhere. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { markupText } from '../../terminal/markup.ts'
import type { JobLine } from '../job/job-file.ts'
import type { Category } from './categories.ts'
import { thumbnail } from './thumbnail.ts'

export interface Page {
  title: string
  base: string
  /** As that of PhotoList. */
  folder?: string
  isWhole: boolean
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.6em}h2{font-size:1.15em;margin:2em 0 .5em}table{border-collapse:collapse}td{padding:.1em 1.5em .1em 0}
td:last-child{text-align:right}ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(15em,1fr));gap:.75em;padding:0;list-style:none}
li{border:1px solid #ddd;border-radius:6px;padding:.5em;overflow-wrap:anywhere;font-size:.9em}
img{display:block;height:96px;max-width:100%;margin-bottom:.4em;border-radius:4px}small{color:#666}b{font-weight:600}`

/** Allows this style sheet and embedded pictures, and nothing else. */
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** Yields the page in pieces. Thumbnails are made one after the other. */
export async function* htmlReport(
  page: Page,
  shown: ReadonlyMap<Category, { lines: readonly JobLine[]; count: number }>,
): AsyncGenerator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${markupText(POLICY)}">
<meta name="viewport" content="width=device-width"><title>${markupText(page.title)}</title><style>${STYLE}</style></head>
<body><h1>Enrolment of ${markupText(page.title)}</h1>
${page.isWhole ? '' : '<p>The run was stopped before the end of the list.</p>\n'}<table>
${[...shown].map(([{ title }, { count }]) => `<tr><td>${markupText(title)}</td><td>${count}</td></tr>`).join('\n')}
</table>
`
  for (const [category, { lines, count }] of shown) {
    if (count === 0) continue
    yield `<h2>${markupText(category.title)}: ${count}</h2>\n`
    if (lines.length < count) yield `<p>The first ${lines.length}. The CSV file has all.</p>\n`
    yield '<ul>\n'
    for (const line of lines) yield await card(page, category, line)
    yield '</ul>\n'
  }
  yield '</body></html>\n'
}

async function card({ base, folder }: Page, category: Category, line: JobLine): Promise<string> {
  const picture = await thumbnail(resolve(base, line.name), folder)
  const image = picture ? `<img alt="" src="data:image/jpeg;base64,${picture.toString('base64')}">` : ''
  const place = line.line === undefined ? '' : `line ${line.line}: `
  return `<li>${image}<b>${markupText(line.meta)}</b><br>${markupText(place + line.name)}<br><small>${markupText(category.note(line))}</small></li>\n`
}
