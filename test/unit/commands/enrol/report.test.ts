/** Reports of hostile names: nothing in them runs, and the CSV reads back. */
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import sharp from 'sharp'
import type { JobLine } from '#commands/enrol/job.ts'
import { writeReport } from '#commands/enrol/report.ts'
import { csvRecord } from '#contract/csv.ts'
import { sharedFolder } from '../../core/folder.ts'

const folder = sharedFolder()

/** The report of these lines, for a list in a folder of this name. */
async function reportOf(lines: JobLine[], { list = 'people', isWhole = true } = {}) {
  const path = join(folder, list)
  const settings = { out: join(folder, 'out'), list: { path, base: path }, isWhole }
  const [csv = '', html = ''] = await writeReport(lines, settings)
  for (const file of [csv, html]) expect((await stat(file)).mode & 0o777).toBe(0o600)
  return { csv: await readFile(csv, 'utf8'), html: await readFile(html, 'utf8') }
}

const line = (name: string, more: Partial<JobLine> = {}): JobLine => ({
  name,
  key: `key of ${name}`,
  hash: `hash of ${name}`,
  outcome: 'enrolled',
  meta: 'Ann',
  faces: [7],
  ...more,
})

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>&\u202egpj.exe'

it('a report escapes names, metas, reasons and the list, and runs nothing', async () => {
  const similar = { face: 1, meta: HOSTILE, confidence: 0.9 }
  const { html } = await reportOf(
    [line(HOSTILE, { meta: HOSTILE, similar }), line('b', { outcome: 'refused', reason: HOSTILE })],
    { list: "<b>'&", isWhole: false },
  )
  expect(html).not.toMatch(/<script|<img (?!alt="" src="data:image\/jpeg;base64,)|<b>'|\u202e/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toMatch(
    /content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-[\w+/]{43}=&#39;"/,
  )
  expect(html).not.toMatch(/https?:|\son\w+="/)
  expect(html).toContain('The run was stopped before the end of the list.')
})

it('a report says of each photo where it belongs', async () => {
  const { html, csv } = await reportOf([
    line('a.jpg'),
    line('b.jpg', { outcome: 'no_face', faces: [], line: 3 }),
    line('c.jpg', { outcome: 'duplicate', key: 'key of a.jpg', hash: 'hash of a.jpg', faces: [] }),
    line('e.jpg', { seen: 3 }),
    line('d.jpg', { similar: { face: 9, meta: 'Bob', confidence: 0.91 } }),
  ])
  const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, text]) => text)
  expect(headings).toEqual([
    'Looks like another person: 1',
    'Shows several people, the biggest face enrolled: 1',
    'No face: 1',
    'Same photo twice: 2',
    'Enrolled: 3',
  ])
  expect(html).toContain('3 faces, enrolled: face 7')
  expect(html).toContain('line 3: b.jpg')
  expect(html).toContain('like Bob (face 9), confidence 0.91')
  const rows = parse(csv, { columns: true }) as Record<string, string>[]
  expect(
    rows.map(({ file, outcome, like_meta, faces_seen }) => [file, outcome, like_meta, faces_seen]),
  ).toEqual([
    ['a.jpg', 'enrolled', '', ''],
    ['b.jpg', 'no_face', '', ''],
    ['c.jpg', 'duplicate', '', ''],
    ['e.jpg', 'enrolled', '', '3'],
    ['d.jpg', 'enrolled', 'Bob', ''],
  ])
})

it('a report has thumbnails of the originals, and cards without one for photos that cannot be read', async () => {
  await mkdir(join(folder, 'people'))
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#c00' } })
  await photo.jpeg().toFile(join(folder, 'people', 'a.jpg'))
  const { html } = await reportOf([line('a.jpg'), line('gone.jpg')])
  const pictures = [...html.matchAll(/src="data:image\/jpeg;base64,([^"]+)"/g)].map(([, text]) => text!)
  expect(pictures).toHaveLength(1)
  const { width, height } = await sharp(Buffer.from(pictures[0]!, 'base64')).metadata()
  expect([width, height]).toEqual([288, 192])
})

it('a CSV record reads back as it was written, without formulas', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1+1', '+1', '-1', '@A1', '\tx'))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), values => {
      const settings = { relax_column_count: true, record_delimiter: '\r\n' }
      const [read] = parse(csvRecord(values), settings) as string[][]
      const inert = values.map(value => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value))
      expect(read ?? ['']).toEqual(inert)
    }),
  )
})
