/** Reports of hostile names: nothing in them runs, and the CSV reads back. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { openJob } from '#commands/enrol/job.ts'
import type { JobLine } from '#commands/enrol/job-file.ts'
import { csvRecord, writeReport } from '#commands/enrol/report.ts'
import { temporaryFolder } from '../../core/folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** The report of a job with these lines, in a folder of this name. */
async function reportOf(lines: JobLine[], { list = 'people', isWhole = true } = {}) {
  const path = join(folder, list)
  await mkdir(path, { recursive: true })
  const place = {
    path: join(folder, 'job.jsonl'),
    list: path,
    service: 'http://a:1',
    options: {},
    restart: true,
  }
  const job = await openJob(place, async () => true)
  for (const line of lines) await job.finish(line)
  const [csv = '', html = ''] = await writeReport(job, {
    out: join(folder, 'out'),
    list: { path, base: path },
    isWhole,
  })
  await job.close()
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

describe('a report', () => {
  it('escapes names, metas, reasons and the list, and runs nothing', async () => {
    const similar = { face: 1, meta: HOSTILE, confidence: 0.9 }
    const { html } = await reportOf(
      [
        line(HOSTILE.replaceAll('/', ''), { meta: HOSTILE, similar }),
        line('b', { outcome: 'refused', reason: HOSTILE }),
      ],
      { list: "<b>'&" },
    )
    expect(html).not.toMatch(/<script|<img (?!alt="" src="data:image\/jpeg;base64,)|<b>'|\u202e/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toMatch(
      /content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-[\w+/]{43}=&#39;"/,
    )
    expect([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag)).not.toContain('script')
    expect(html).not.toMatch(/https?:|\son\w+="/)
  })

  it('says of each photo where it belongs', async () => {
    const { html, csv } = await reportOf([
      line('a.jpg'),
      line('b.jpg', { outcome: 'no_face', faces: [], line: 3 }),
      line('c.jpg', { outcome: 'duplicate', key: 'key of a.jpg', hash: 'hash of a.jpg', faces: [] }),
      line('d.jpg', { similar: { face: 9, meta: 'Bob', confidence: 0.91 } }),
    ])
    const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, text]) => text)
    expect(headings).toEqual([
      'Looks like somebody else: 1',
      'No face: 1',
      'Same photo twice: 2',
      'Enrolled: 2',
    ])
    expect(html).toContain('line 3: b.jpg')
    expect(html).toContain('like Bob (face 9), confidence 0.91')
    const rows = parse(csv, { columns: true }) as Record<string, string>[]
    expect(rows.map(({ file, outcome, like_meta }) => [file, outcome, like_meta])).toEqual([
      ['a.jpg', 'enrolled', ''],
      ['b.jpg', 'no_face', ''],
      ['c.jpg', 'duplicate', ''],
      ['d.jpg', 'enrolled', 'Bob'],
    ])
  })

  it('has thumbnails of the originals, and cards without one for photos that cannot be read', async () => {
    await mkdir(join(folder, 'people'))
    const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#c00' } })
    await photo.jpeg().toFile(join(folder, 'people', 'a.jpg'))
    await writeFile(join(folder, 'people', 'b.jpg'), 'no photo')
    const { html } = await reportOf([
      line('a.jpg'),
      line('b.jpg', { outcome: 'unreadable' }),
      line('gone.jpg'),
    ])
    const pictures = [...html.matchAll(/src="data:image\/jpeg;base64,([^"]+)"/g)].map(([, text]) => text!)
    expect(pictures).toHaveLength(1)
    const { width, height } = await sharp(Buffer.from(pictures[0]!, 'base64')).metadata()
    expect([width, height]).toEqual([288, 192])
  })

  it('has the last outcome of each photo once', async () => {
    const failed = line('a.jpg', { outcome: 'failed', faces: [] })
    const { csv, html } = await reportOf([failed, line('a.jpg')], { isWhole: false })
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(html).toContain('The run was stopped before the end of the list.')
  })
})

describe('a CSV record', { tags: 'long' }, () => {
  it('reads back as it was written, whatever the texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), values => {
        const [read] = parse(csvRecord(values), {
          relax_column_count: true,
          record_delimiter: '\r\n',
        }) as string[][]
        const inert = values.map(value => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value))
        expect(read ?? ['']).toEqual(inert)
      }),
    )
  })

  it.each(['=1+1', '+1', '-1', '@A1', '\tx', '=HYPERLINK("http://a")'])('has no formula: %j', text => {
    const [[read]] = parse(csvRecord([text])) as [[string]]
    expect(read).toBe(`'${text}`)
  })
})
