/** `mien store` on a stopped service and beside a running one. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

const store = (data: string, ...args: string[]) => runMien(['store', ...args, '--data', data])

/** A data folder with faces of these colours, in which no service runs. */
async function atRest(colours: readonly [number, number, number][]) {
  const world = await openWorld()
  const ids: number[] = []
  for (const colour of colours) ids.push(await enrolOne(world, faceOf(...colour)))
  await world.close()
  return { data: world.data, ids }
}

const COLOURS: [number, number, number][] = [
  [250, 10, 10],
  [10, 250, 10],
  [10, 10, 250],
]

const GALLERY = `${OWNER}_default`

describe('mien store on a stopped service', { tags: 'long' }, () => {
  let data = ''
  let folder = ''
  beforeEach(async () => {
    data = (await atRest(COLOURS)).data
    folder = await temporaryFolder()
  })

  it('lists the galleries and builds an index', async () => {
    expect(store(data, 'stat').said).toMatch(new RegExp(`${GALLERY}.* 3 .* 0 .* 0 .*none`))
    expect(store(data, 'index', 'unknown')).toExit(1)
    expect(store(data, 'index', GALLERY)).toExit(0)
    expect(store(data, 'stat').said).toMatch(new RegExp(`${GALLERY}.* 0 .* 0 .* 3 .*\\.ivf`))
    await mkdir(join(data, 'drill'))
    expect(store(data, 'compact')).toExit(0)
    expect(await readdir(data)).not.toContain('drill')
    expect(store(data, 'verify')).toExit(0, 'All is well.')
  })

  it('copies vectors to another store through a file', async () => {
    const other = (await atRest([])).data
    const file = join(folder, 'vectors.jsonl')
    expect(store(data, 'export', file).said).toContain('3 vectors are in')
    expect(store(other, 'import', file).said).toContain('3 vectors are added, 0 were there.')
    expect(store(other, 'import', file).said).toContain('0 vectors are added, 3 were there.')
    expect(store(other, 'stat').said).toContain(GALLERY)
  })

  it('exports no gallery that does not exist, and over no file that does', async () => {
    const file = join(folder, 'vectors.jsonl')
    const one = store(data, 'export', file, '--gallery', 'unknown')
    expect(one).toExit(2, 'There is no gallery unknown.')
    await writeFile(file, 'kept')
    expect(store(data, 'export', file)).toExit(2)
    expect(await readdir(folder)).toEqual(['vectors.jsonl'])
    expect(await readFile(file, 'utf8')).toBe('kept')
    const nowhere = join(folder, 'none')
    expect(store(data, 'export', join(nowhere, 'vectors.jsonl')).said).toContain(`There is no ${nowhere}.`)
  })

  it('verify reports missing pictures and damaged vectors', async () => {
    const { data: broken, ids } = await atRest(COLOURS)
    const picture = join(
      'pictures',
      OWNER,
      (ids[0]! % 256).toString(16).padStart(2, '0'),
      `${ids[0]}.thumbnail.jpg`,
    )
    await rm(join(broken, picture))
    const path = join(broken, 'vectors', 'shard-0', 'rows.db')
    const rows = await readFile(path)
    const vector = Buffer.from(Float32Array.of(250 * 22_500 + 22_500).buffer)
    rows[rows.indexOf(vector)]! ^= 4
    await writeFile(path, rows)
    const { status, said } = store(broken, 'verify')
    expect(status).toBe(1)
    expect(said).toContain(`Face ${ids[0]} has no thumbnail picture.`)
    expect(said).toContain(`1 vectors of the gallery ${GALLERY} are damaged.`)
    expect(said).not.toContain(vector.toString('base64'))
  })
})

describe('mien store beside a running service', { tags: 'long' }, () => {
  const data = inject('data')
  let gallery = ''
  beforeAll(async () => {
    gallery = `running_${Date.now()}`
    for (let id = 1; id <= 5; id++) {
      const vector = Float32Array.from({ length: 16 }, (_, i) => Math.sin(id + i))
      const response = await fetch(`${inject('core')}/v1/${gallery}/add/${id}`, {
        method: 'POST',
        body: vector,
      })
      expect(response.status).toBe(200)
    }
  })

  it('lists the galleries and builds an index', () => {
    expect(store(data, 'stat').said).toMatch(new RegExp(`${gallery}.* 5 `))
    expect(store(data, 'index', gallery)).toExit(0)
  })

  it('verifies and exports', async () => {
    const folder = await temporaryFolder()
    expect(store(data, 'verify').said).toContain('All is well.')
    const file = join(folder, 'v.jsonl')
    expect(store(data, 'export', file, '--gallery', gallery).said).toContain('5 vectors are in')
  })

  it.each([['compact'], ['move', 'vectors', '--to', 'local']])('refuses %s %s', async (...args) => {
    expect(store(data, ...args)).toExit(1)
  })
})
