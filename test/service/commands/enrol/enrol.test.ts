/** `mien enrol` as an operator types it, against the real service. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import sharp from 'sharp'
import { inject } from 'vitest'
import { MienClient } from '#clients/typescript/src/index.ts'
import { clientOf, sample } from '#test/support/client.ts'
import { type Person, people } from '#test/support/photos/people.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien, startMien } from '#test/support/typed.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

/** The rows of a report, by their columns. */
const rowsIn = async (file: string) =>
  parse(await readFile(file, 'utf8'), { columns: true }) as Record<string, string>[]

let persons: Person[] = []
beforeAll(async () => {
  persons = await people(clientOf(inject('edge'), inject('token')))
})

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** A folder with one folder of photos per person. Returns the number of photos. */
async function writePeople(most = persons.length): Promise<number> {
  const chosen = persons.slice(0, most)
  for (const { name, photos } of chosen) {
    await mkdir(join(folder, 'people', name), { recursive: true })
    for (const [i, photo] of photos.entries())
      await writeFile(join(folder, 'people', name, `${i}.jpg`), photo)
  }
  return chosen.reduce((sum, { photos }) => sum + photos.length, 0)
}

/** A new owner: environment of the command, and all of its faces. */
function newOwner(name: string) {
  const token = newToken(inject('data'), name, { scope: 'enrol' })
  const client = new MienClient({ url: inject('edge'), token })
  return {
    env: { MIEN_URL: inject('edge'), MIEN_TOKEN: token },
    faces: () => client.faces.list({ pageSize: 1_000 }).toArray(),
  }
}

const jobLines = async (): Promise<number> => {
  const text = await readFile(join(folder, 'people.mien-enrol.jsonl'), 'utf8').catch(() => '')
  return text.split('\n').length - 2
}

const enrolPeople = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  runMien(['enrol', join(folder, 'people'), ...args], env)

const enrolList = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  runMien(['enrol', join(folder, 'list.csv'), ...args], env)

/** Enrols the people in a process that a test ends. */
const startEnrolment = (env: NodeJS.ProcessEnv) => startMien(['enrol', join(folder, 'people')], env)

describe('mien enrol', { tags: 'long' }, () => {
  it('enrols a folder once, with metas, galleries, time and a report', async () => {
    const count = await writePeople(4)
    const { env, faces } = newOwner('folder')
    const args = ['--galleries', 'staff,vip', '--time', '2026-01-02', '--report', join(folder, 'report')]
    expect(enrolPeople(env, ...args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no gallery staff, vip.*--create-galleries/),
    })
    expect(enrolPeople(env, ...args, '--create-galleries')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`${count} of ${count} photos are finished`)),
    })
    const stored = await faces()
    expect(stored.map(({ photo, meta }) => [photo.split('/')[0], meta]).every(([a, b]) => a === b)).toBe(true)
    expect(new Set(stored.map(({ photo }) => photo)).size).toBe(count)
    const personsOf = Map.groupBy(stored, ({ meta }) => meta)
    expect([...personsOf.values()].map(theirs => new Set(theirs.map(face => face.person_id)).size)).toEqual([
      1, 1, 1, 1,
    ])
    expect(new Set(stored.map(face => face.person_id)).size).toBe(4)
    expect(stored).toHaveLength(count)
    for (const face of stored)
      expect(face).toMatchObject({
        galleries: expect.arrayContaining(['default', 'staff', 'vip']),
        timestamp: '2026-01-02T00:00:00.000000',
      })
    expect((await stat(join(folder, 'people.mien-enrol.jsonl'))).mode & 0o777).toBe(0o600)
    const rows = await rowsIn(join(folder, 'report.csv'))
    expect(rows.map(({ photo_hash }) => photo_hash).sort()).toEqual(
      stored.map(face => face.photo_hash).sort(),
    )

    const again = enrolPeople(env, '--galleries', 'staff,vip', '--time', '2026-01-02', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ photos: count, finished_before: count, complete: true })
    expect(await faces()).toHaveLength(count)
  })

  it('leaves out bad rows, counts all others, and says how many show several people, also in later runs', async () => {
    await writeFile(join(folder, 'group.jpg'), await sample(2))
    await writeFile(join(folder, 'Ann.jpg'), persons[0]!.photos[0]!)
    const rows = ['group.jpg', 'missing.jpg', 'group.jpg', 'Ann.jpg', 'gone.jpg']
    await writeFile(join(folder, 'list.csv'), `file\n${rows.join('\n')}\n`)
    const { env, faces } = newOwner('bad rows')
    const first = enrolList(env, '--skip-bad-rows')
    expect(first).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/100% 3\/3 .*1 photo shows several people/),
    })
    expect(first.stdout).toMatch(/^3 of 3 photos are finished\..*\n1 photo shows several people\./s)
    const again = enrolList(env, '--skip-bad-rows', '--json', '--report', join(folder, 'r'))
    expect(JSON.parse(again.stdout)).toMatchObject({
      photos: 3,
      bad_rows: 2,
      several_people: 1,
      finished_before: 2,
      complete: true,
      outcomes: { enrolled: 2, duplicate: 1, unreadable: 0 },
    })
    expect((await rowsIn(join(folder, 'r.csv'))).map(({ faces_seen }) => faces_seen).sort()).toEqual([
      '',
      '',
      '3',
    ])
    expect(await faces()).toHaveLength(2)
  })

  it('that is killed at any time is continued: every photo is there exactly once', async () => {
    const count = await writePeople()
    const { env, faces } = newOwner('killed')
    const command = startEnrolment(env)
    while ((await jobLines()) < Math.floor(count / 2)) await new Promise(resolve => setTimeout(resolve, 20))
    command.child.kill('SIGKILL')
    expect((await command.exited).signal).toBe('SIGKILL')
    expect(await jobLines()).toBeLessThan(count)
    expect(enrolPeople(env).status).toBe(0)
    const stored = await faces()
    expect(new Set(stored.map(({ photo_hash }) => photo_hash)).size).toBe(count)
    expect(stored).toHaveLength(count)
  })

  it('completes the photos in progress at Ctrl-C, and says how to continue', async () => {
    const count = await writePeople()
    const { env, faces } = newOwner('stopped')
    const command = startEnrolment(env)
    while ((await jobLines()) < 3) await new Promise(resolve => setTimeout(resolve, 20))
    command.child.kill('SIGINT')
    const { code, stdout, stderr } = await command.exited
    expect(code).toBe(130)
    expect(stdout).toContain('Run the same command again to continue.')
    expect(stderr).toMatch(new RegExp(`0% 0/${count} .* 0 not enrolled`))
    const finished = await jobLines()
    expect(finished).toBeLessThan(count)
    expect(await faces()).toHaveLength(finished)
  })

  it('reports faces that are too small, several faces, and similar people', async () => {
    const [first, second] = persons as [Person, Person]
    const file = (name: string, bytes: Uint8Array | string) => writeFile(join(folder, name), bytes)
    await file('good.jpg', first.photos[0]!)
    await file('again.jpg', first.photos[0]!)
    await file('other.jpg', second.photos[0]!)
    await file('mistaken.jpg', first.photos[1]!)
    await file('small.jpg', await sharp(first.photos[0]).resize(66, 66, { fit: 'inside' }).jpeg().toBuffer())
    await file('several.jpg', await sample(2))
    const names = ['good', 'again', 'small', 'several']
    const rest = 'other.jpg,Bob\nmistaken.jpg,Carl\n'
    await file('list.csv', `file,meta\n${names.map(name => `${name}.jpg,Ann\n`).join('')}${rest}`)
    const { env, faces } = newOwner('outcomes')
    const args = '--selector reject --check-others --json --report'.split(' ')
    const { status, stdout } = enrolList(env, ...args, join(folder, 'r'))
    expect(status).toBe(1)
    expect(JSON.parse(stdout).outcomes).toMatchObject({
      enrolled: 3,
      duplicate: 1,
      too_small: 1,
      several_faces: 1,
    })
    expect((await faces()).map(({ meta }) => meta).sort()).toEqual(['Ann', 'Bob', 'Carl'])
    const rows = await rowsIn(join(folder, 'r.csv'))
    for (const [outcome, file] of [
      ['too_small', 'small.jpg'],
      ['several_faces', 'several.jpg'],
    ])
      expect(rows).toContainEqual(expect.objectContaining({ outcome, file }))
    expect(rows.filter(({ like_meta }) => like_meta !== '').map(({ file }) => file)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(good|mistaken)\.jpg$/)]),
    )
    expect(await readFile(join(folder, 'r.html'), 'utf8')).toMatch(/Looks like another person: [12]</)
  })
})

describe('without sending anything, mien enrol', () => {
  // Nothing listens there.
  const env = { MIEN_URL: 'http://127.0.0.1:9', MIEN_TOKEN: 'mien_x' }

  it('prints the requests in a dry run', async () => {
    const count = await writePeople(2)
    const { status, stdout } = enrolPeople(env, '--dry-run', '--galleries', 'staff')
    expect(status).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${count} photos \\(.*\\) with 2 metas would be enrolled`))
    expect(stdout).toContain('Galleries: staff')
    const rows = enrolPeople(env, '--dry-run', '--json').stdout.trim().split('\n')
    expect(rows.map(row => JSON.parse(row).file)).toHaveLength(count)
  })

  it('sends nothing of a list with a problem, nor of one that cannot be read to its end', async () => {
    await writeFile(join(folder, 'list.csv'), 'file\nmissing.jpg\n')
    expect(enrolList(env)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/line 2: "missing.jpg": There is no such file.*Nothing was sent/s),
    })
    await writeFile(join(folder, 'Ann.jpg'), 'photo')
    await writeFile(join(folder, 'list.csv'), 'file\nAnn.jpg\n"Bob.jpg\n')
    expect(enrolList(env, '--skip-bad-rows')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/line 3: The CSV is broken.*Nothing was sent\. Correct the list\.\n$/s),
    })
  })

  it('says when there is no service', async () => {
    await writePeople(1)
    expect(enrolPeople(env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No service answers at http://127.0.0.1:9.'),
    })
  })
})
