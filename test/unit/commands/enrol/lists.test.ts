/** Lists of photos: folders, CSV and JSON lines, with every kind of text in them. */

import { spawnSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { photoOf } from '#commands/api/photos.ts'
import { folderRows } from '#commands/enrol/folder.ts'
import { type CsvSettings, LINE_BYTES } from '#commands/enrol/list-file.ts'
import { checkList, openList, problemText, readPhoto } from '#commands/enrol/photo-list.ts'
import type { Entry, FieldDefaults, Row } from '#commands/enrol/row.ts'
import { textIn } from '#commands/terminal/bounded-file.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { temporaryFolder } from '../../core/folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

interface Settings extends CsvSettings {
  defaults?: FieldDefaults
  pattern?: string
}

async function listOf(
  name: string,
  text: string | Uint8Array,
  { defaults = {}, ...settings }: Settings = {},
) {
  await writeFile(join(folder, name), text)
  return openList(join(folder, name), { defaults, ...settings })
}

async function all(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

async function rowsOf(name: string, text: string, settings?: Settings): Promise<Row[]> {
  const list = await listOf(name, text, settings)
  return (await all(list.entries())).map(({ row, problem }) => row ?? expect.fail(problem?.reason))
}

/** The problems of a list, as the command prints them. */
async function problemsOf(name: string, text: string | Uint8Array, settings?: Settings): Promise<string[]> {
  return (await checkList(await listOf(name, text, settings))).problems.map(problemText)
}

async function photo(name: string): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), 'photo')
}

describe('a folder', () => {
  const namesOf = async (pattern?: string) => {
    const list = await openList(folder, { defaults: {}, ...(pattern !== undefined && { pattern }) })
    const entries = await all(list.entries())
    return entries.map(({ row, problem }) => (row ? `${row.name} ${row.meta}` : problem?.reason)).sort()
  }

  it('gives each photo the name of its folder as meta', async () => {
    for (const name of ['Ann/1.jpg', 'Ann/2.PNG', 'Bob B/a.webp', 'Bob B/x.JPEG']) await photo(name)
    for (const name of ['Ann/notes.txt', '.git/a.jpg', 'Ann/._1.jpg']) await photo(name)
    expect(await namesOf()).toEqual([
      'Ann/1.jpg Ann',
      'Ann/2.PNG Ann',
      'Bob B/a.webp Bob B',
      'Bob B/x.JPEG Bob B',
    ])
  })

  it('has a problem where a photo does not match the pattern', async () => {
    for (const name of ['Ann/1.jpg', 'loose.jpg', 'Ann/deeper/1.jpg']) await photo(name)
    const checked = await checkList(await openList(folder, { defaults: {} }))
    expect(checked.photos).toBe(1)
    expect(checked.problems.map(({ name }) => name).sort()).toEqual(['Ann/deeper/1.jpg', 'loose.jpg'])
  })

  it('takes other layouts by a pattern', async () => {
    await photo('staff/Ann_Lee_01.jpg')
    const list = await openList(folder, { defaults: {}, pattern: '{gallery}/{meta}_*.jpg' })
    expect((await all(list.entries()))[0]?.row).toMatchObject({ meta: 'Ann', galleries: ['staff'] })
    expect(await namesOf('**')).toEqual(['staff/Ann_Lee_01.jpg '])
    expect(await namesOf('*/{meta}.*')).toEqual(['staff/Ann_Lee_01.jpg Ann_Lee_01'])
  })

  it.each(['{metas}/*', '{meta}/{meta}'])('refuses the pattern %s', async pattern => {
    const list = await openList(folder, { defaults: {}, pattern })
    await expect(all(list.entries())).rejects.toThrow(/Did you mean meta|twice/)
  })

  it('follows links to photos, and not to folders', async () => {
    await photo('Ann/1.jpg')
    await symlink(join(folder, 'Ann/1.jpg'), join(folder, 'Ann/2.jpg'))
    await symlink(folder, join(folder, 'Ann/again'))
    expect(await namesOf()).toEqual(['Ann/1.jpg Ann', 'Ann/2.jpg Ann'])
  })

  it('leads to no photo outside by a link, unless links are followed', async () => {
    const outside = join(await temporaryFolder(), 'secret.jpg')
    await writeFile(outside, 'photo')
    await mkdir(join(folder, 'Ann'))
    await symlink(outside, join(folder, 'Ann/1.jpg'))
    const problems = async (followLinks: boolean) =>
      (await checkList(await openList(folder, { defaults: {}, followLinks }))).problems
    expect(await problems(false)).toEqual([
      { name: 'Ann/1.jpg', reason: expect.stringContaining('--follow-links') },
    ])
    expect(await problems(true)).toEqual([])
    const [entry] = await all(folderRows(folder, {}))
    expect((await readPhoto(entry!.row!, folder)).file).toContain('--follow-links')
  })

  it('composes metas that macOS stores decomposed', async () => {
    await photo('Jose\u0301/1.jpg')
    expect(await namesOf()).toEqual(['Jose\u0301/1.jpg Jos\u00e9'])
  })
})

describe('a CSV list', () => {
  const HEAD = 'file,meta,galleries,camera,time,selector\n'

  it('gives every field, with defaults for empty ones', async () => {
    const camera = '0f0e0d0c-0b0a-0908-0706-050403020100'
    const text = `${HEAD}a.jpg,Ann,"staff, vip;default",${camera.toUpperCase()},2026-01-02,all\n/b.jpg,,,,,\n`
    const [first, second] = await rowsOf('list.csv', text, { defaults: { meta: 'M', galleries: 'g2,g1' } })
    expect(first).toEqual({
      line: 2,
      path: join(folder, 'a.jpg'),
      name: 'a.jpg',
      meta: 'Ann',
      galleries: ['staff', 'vip'],
      camera: camera.replaceAll('-', ''),
      time: '2026-01-02T00:00:00.000000',
      selector: 'all',
    })
    expect(second).toMatchObject({ path: '/b.jpg', meta: 'M', galleries: ['g1', 'g2'], selector: 'biggest' })
  })

  it('takes other names of columns, another delimiter, a byte order mark and CR LF', async () => {
    const text = '\u{feff}Foto;Name;Abteilung\r\na.jpg;Ann;7\r\n'
    const settings = { delimiter: ';', columns: { file: 'Foto', meta: 'Name' }, ignored: ['Abteilung'] }
    expect(await rowsOf('list.csv', text, settings)).toMatchObject([{ name: 'a.jpg', meta: 'Ann', line: 2 }])
  })

  it('reports problems with their lines', async () => {
    await photo('a.jpg')
    const text = `${HEAD}a.jpg,Ann\nmissing.jpg\na.jpg,..,,,,\na.jpg,,no/name\na.jpg,,,7\na.jpg,,,,yesterday\na.jpg,,,,,one\n,x\na.jpg,,,,,,,\n`
    expect(await problemsOf('list.csv', text)).toEqual([
      'line 3: "missing.jpg": There is no such file.',
      expect.stringMatching(/^line 4: "a.jpg": meta: expected /),
      expect.stringMatching(/^line 5: "a.jpg": galleries: expected .*"no\/name"/),
      expect.stringMatching(/^line 6: "a.jpg": camera: expected the UUID of a camera, got "7"/),
      expect.stringMatching(/^line 7: "a.jpg": time: expected a time in ISO 8601.*"yesterday"/),
      expect.stringMatching(/^line 8: "a.jpg": selector: expected one of reject, biggest, all, got "one"/),
      'line 9: The row has no file.',
      'line 10: The row has 8 values for 6 columns.',
    ])
  })

  it.each([
    ['file,gallery\na.jpg,x\n', 'line 1: There is no column "gallery". Did you mean galleries?'],
    ['meta\nAnn\n', 'line 1: The column file is missing.'],
    ['file,meta,meta\n', 'line 1: The column meta comes twice.'],
    ['file\n"a.jpg\n', expect.stringMatching(/^line \d: The CSV is broken/)],
    [
      new Uint8Array([...Buffer.from('file\na.jpg\n'), 0xe9, 0x0a]),
      expect.stringMatching(/^line 3: .*not UTF-8/),
    ],
  ])('refuses %j', async (text, problem) => {
    await photo('a.jpg')
    expect(await problemsOf('list.csv', text)).toEqual([problem])
  })

  it('ends with a problem or rows for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async bytes => {
        for (const name of ['any.csv', 'any.jsonl']) {
          const checked = await checkList(await listOf(name, Buffer.concat([Buffer.from('file\n'), bytes])))
          expect(checked.photos).toBe(0)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a list in JSON lines', () => {
  it('gives every field, skips blank lines and keeps separators of Unicode', async () => {
    const meta = 'a\u2028b'
    const text = `{"file":"a.jpg","meta":${JSON.stringify(meta)},"galleries":["b","a","b"]}\r\n\n{"file":"b.jpg","meta":7,"time":null}`
    expect(await rowsOf('list.jsonl', text)).toMatchObject([
      { line: 1, name: 'a.jpg', meta, galleries: ['a', 'b'] },
      { line: 3, name: 'b.jpg', meta: '7' },
    ])
  })

  it('reports problems with their lines', async () => {
    await photo('a.jpg')
    const text =
      '{"file":"a.jpg"}\n{"file":"a.jpg","metta":"x"}\nnothing\n[]\n{"file":["a.jpg"]}\n{"meta":"x"}\n'
    expect(await problemsOf('list.jsonl', text)).toEqual([
      'line 2: There is no field "metta". Did you mean meta?',
      'line 3: The line is no JSON object.',
      'line 4: The line is no JSON object.',
      'line 5: file: expected a text.',
      'line 6: The row has no file.',
    ])
  })

  it('refuses a line without an end in sight', async () => {
    expect(await problemsOf('list.jsonl', `{"file":"${'a'.repeat(LINE_BYTES)}`)).toEqual([
      `line 1: The line is longer than ${LINE_BYTES} bytes.`,
    ])
  })
})

it('an unknown kind of list is a usage error', async () => {
  await expect(listOf('list.txt', '')).rejects.toThrow(/neither a folder nor a list/)
  await expect(openList(join(folder, 'none'), { defaults: {} })).rejects.toThrow(/no folder or list/)
  await expect(listOf('list.csv', '', { pattern: '*' })).rejects.toThrow(/Only a folder/)
  await expect(openList(folder, { defaults: {}, delimiter: ';' })).rejects.toThrow(/Only a CSV list/)
})

it.skipIf(process.platform === 'win32')('opens regular files of at most a photo only', async () => {
  spawnSync('mkfifo', [join(folder, 'pipe.jpg')])
  await mkdir(join(folder, 'folder.jpg'))
  await photo('large.jpg')
  await truncate(join(folder, 'large.jpg'), PHOTO_LIMITS.bytes + 1)
  const names = ['/dev/zero', 'pipe.jpg', 'folder.jpg', 'large.jpg', '/proc/self/environ']
  const list = await listOf('list.csv', `file\n${names.join('\n')}\n`)
  const read = await Promise.all((await all(list.entries())).map(({ row }) => readPhoto(row!, list.folder)))
  expect(read.slice(0, 4).map(({ file }) => file)).toEqual([
    ...Array(3).fill('It is not a regular file.'),
    `The file has more than ${PHOTO_LIMITS.bytes / 2 ** 20} MB.`,
  ])
  expect((await checkList(list)).problems.map(({ name }) => name)).toEqual(names.slice(0, 3))
  await expect(openList('/dev/zero.csv', { defaults: {} })).rejects.toThrow('There is no')
  await symlink('/dev/zero', join(folder, 'endless.csv'))
  const endless = await openList(join(folder, 'endless.csv'), { defaults: {} })
  await expect(checkList(endless)).rejects.toThrow('not a regular file')
  await expect(textIn('--token-file', '/dev/zero')).rejects.toThrow('more than 1 MB')
  await expect(photoOf('/dev/zero')).rejects.toThrow('/dev/zero: It is not a regular file.')
})
