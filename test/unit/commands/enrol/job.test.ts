/** The job file: the findings of a run after any end of an earlier run. */

import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JobLine, openJob } from '#commands/enrol/job.ts'
import { countsOf } from '#commands/enrol/outcome.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../../core/folder.ts'

const SERVICE = 'http://127.0.0.1:1'

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  path = join(folder, 'people.mien-enrol.jsonl')
})

/** Opens the job; the service has the faces `known`. */
const opened = ({ list = 'people', service = SERVICE, options = {}, restart = false, known = [1] } = {}) =>
  openJob({ path, list: join(folder, list), service, options, restart }, async face => known.includes(face))

const line = (name: string, more: Partial<JobLine> = {}): JobLine => ({
  name,
  key: `key of ${name}`,
  hash: 'aa',
  outcome: 'enrolled',
  meta: 'Ann',
  faces: [1],
  ...more,
})

/** A job file with these lines, closed. */
async function written(...lines: JobLine[]) {
  const job = await opened()
  await Promise.all(lines.map(each => job.finish(each)))
  await job.close()
}

/** Names of the photos that a new run does not send again. */
async function finished(...names: string[]) {
  const job = await opened()
  const found = names.filter(name => job.isFinished(line(name)))
  await job.close()
  return found
}

describe('a job file', { tags: 'long' }, () => {
  it('is private, and keeps each of the photos that end at the same time', async () => {
    const names = times(100, i => `photo ${i}`)
    await written(...names.map(name => line(name)))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await finished(...names, 'other')).toEqual(names)
  })

  it('is read up to a torn last line, wherever the line is torn', async () => {
    await written(line('a'), line('\u{1f600}'))
    const whole = await readFile(path)
    const second = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1
    for (const bytes of [0, 1, 2, 20, whole.length - second - 2, whole.length - second - 1]) {
      await writeFile(path, whole.subarray(0, second + bytes))
      expect(await finished('a', '\u{1f600}')).toEqual(['a'])
      await written(line('c'))
      expect(await finished('a', '\u{1f600}', 'c')).toEqual(['a', 'c'])
    }
  })

  it('does not count a duplicate as finished whose photo was never enrolled', async () => {
    const [first, second] = [line('a'), line('b', { key: 'key of a', outcome: 'duplicate', faces: [] })]
    await written(second)
    expect(await finished('b')).toEqual([])
    await written(first)
    const job = await opened()
    expect(job.isFinished({ ...second })).toBe(true)
    await job.close()
  })

  it('begins again when its header is torn', async () => {
    await written(line('a'))
    for (const bytes of [0, 5, 40]) {
      await truncate(path, bytes)
      expect(await finished('a')).toEqual([])
      await written(line('a'))
    }
  })

  it('ignores zeros that a power cut left at its end', async () => {
    await written(line('a'))
    await appendFile(path, new Uint8Array(100))
    expect(await finished('a')).toEqual(['a'])
  })

  it('is refused when a line inside is damaged', async () => {
    await written(line('a'))
    await appendFile(path, 'nonsense\n')
    await expect(opened()).rejects.toThrow(/line 3 is damaged. Start over with --restart/)
  })

  it.each(['photo', '{"a":1}\n', '\n'])('of %j is no job file, and stays as it is', async text => {
    await writeFile(path, text)
    await expect(opened()).rejects.toThrow(/is no job file/)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('of another list, of other options or of another service is refused', async () => {
    await written(line('a'))
    const service = 'http://other:1'
    await expect(opened({ list: 'others' })).rejects.toThrow(/belongs to the list people.*--restart/)
    await expect(opened({ options: { galleries: 'staff' } })).rejects.toThrow(/made without --galleries/)
    await expect(opened({ known: [] })).rejects.toThrow(/not enrolled for this token/)
    await expect(opened({ known: [], service })).rejects.toThrow(`belongs to the service ${SERVICE}`)
    await (await opened({ service })).close()
  })

  it('begins again on demand', async () => {
    await written(line('a'))
    const job = await opened({ restart: true, list: 'others' })
    expect(job.isFinished(line('a'))).toBe(false)
    await job.close()
  })
})

describe('a job', () => {
  it('sends failed photos again, and counts their last outcome', async () => {
    await written(line('a', { outcome: 'failed' }), line('b', { outcome: 'poor_quality' }))
    const job = await opened()
    expect([line('a'), line('b')].map(job.isFinished)).toEqual([false, false])
    await job.finish(line('a'))
    expect(countsOf(job.lines(true))).toMatchObject({ enrolled: 1, failed: 0, poor_quality: 1 })
    await job.close()
  })

  it('gives an enrolment to the first of equal photos, in later runs too', async () => {
    const second = line('b', { key: 'key of a' })
    await written(line('a'))
    const later = await opened()
    expect([later.claims.get(second.key), later.isFinished(second)]).toEqual(['a', false])
    await later.close()
  })

  it('counts a row with the file and the fields of another one as a duplicate of it', async () => {
    const job = await opened()
    expect([line('a'), line('a'), line('b')].map(job.isFinished)).toEqual([false, true, false])
    await job.finish(line('a', { seen: 2 }))
    await job.finish(line('b', { outcome: 'no_face', faces: [] }))
    expect(countsOf(job.lines(true))).toMatchObject({ enrolled: 1, duplicate: 1, no_face: 1 })
    expect(job.lines(true).flatMap(({ seen = [] }) => seen)).toEqual([2])
    await job.close()
  })

  it('leaves out photos that are no longer in the list, once the list is read', async () => {
    await written(line('a', { outcome: 'no_face' }), line('b'))
    const job = await opened()
    expect(job.isFinished(line('b'))).toBe(true)
    expect([true, false].map(listedOnly => job.lines(listedOnly).length)).toEqual([1, 2])
    await job.close()
  })
})
