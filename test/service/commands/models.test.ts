/** `mien models` with packs of tiny networks. test/service/commands/start.test.ts uses one, too. */
import { hash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import { add } from '#commands/models/add.ts'
import { list, type ModelsCommand, verify } from '#commands/models/list.ts'
import { pull, use } from '#commands/models/use.ts'
import { readConfiguration } from '#core/configuration/environment.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { MANIFEST } from '#models/manifest.ts'
import { chosenName, PACK_MANIFEST, packFolder, packNamed } from '#models/packs.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { serve } from '#test/support/servers/served.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'
import { embedderFile, FACE_IN_THE_MIDDLE, tinyPack, yunetFile } from '../../unit/models/tiny-networks.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

let data = ''
let folder = ''
beforeEach(async () => {
  data = await temporaryFolder()
  folder = await temporaryFolder()
})

const COMMANDS: Record<string, ModelsCommand> = { add, list, pull, use, verify }

const sha256Of = (bytes: Uint8Array) => hash('sha256', bytes)

/** Runs the command within this process, which is faster. */
async function models(name: string, ...subjects: string[]) {
  const said: string[] = []
  const hear = (...words: unknown[]) => void said.push(words.map(word => inspect(word)).join(' '))
  for (const method of ['log', 'error', 'table'] as const) vi.spyOn(console, method).mockImplementation(hear)
  try {
    const configuration = { ...readConfiguration({}), data }
    const status = await COMMANDS[name]!({ ...configuration, subjects, dropMissing: false })
    return { status, said: said.join('\n') }
  } catch (error) {
    return { status: 1, said: (error as Error).message }
  } finally {
    vi.restoreAllMocks()
  }
}

/** Writes a tiny pack and its description; returns the path. `change` may corrupt the description. */
async function described(name: string, change: (pack: Tiny) => unknown = pack => pack) {
  await writeFile(join(folder, `${name}-eyes.onnx`), yunetFile(64, [FACE_IN_THE_MIDDLE]))
  await writeFile(join(folder, `${name}-embedder.onnx`), embedderFile(112))
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(change(tinyPack(name))) ?? '{"files":')
  return path
}

type Tiny = ReturnType<typeof tinyPack>

/** Makes the embedder of a pack use its network twice, reduced to 32 numbers. */
function twoNetworks(pack: Tiny) {
  for (const [name, entry] of Object.entries(pack.packs)) {
    const { file, input, output, dimension, chip } = entry.embedder
    const network = { file, input, output, dimension }
    const networks = [network, { ...network, weight: 2 }]
    const embedder = { networks, projection: { file: `${name}.f32` }, dimension: 32, chip }
    Object.assign(entry, { embedder })
    Object.assign(pack.files, { [`${name}.f32`]: { licence: 'none' } })
  }
  return pack
}

const changedEmbedder = (change: object) => (pack: Tiny) => {
  Object.assign(pack.packs.mine!.embedder, change)
  return pack
}

/** Gives the pack a detector of a kind that 0.2.0 had. */
function scrfd(pack: Tiny) {
  Object.assign(pack.packs.mine!.detector, { kind: 'scrfd' })
  return pack
}

describe('mien models', () => {
  it('adds, lists, verifies and selects a pack', { tags: 'long' }, async () => {
    expect(await models('add', await described('mine'))).toExit(0)
    expect((await models('list')).said).toMatch(/mine +6 of 6/)
    expect(await models('use', 'mine')).toExit(0)
    expect((await models('list')).said).toMatch(/mine +yes/)
    expect(await models('verify')).toExit(0)
    await appendFile(join(data, 'packs', 'mine', 'mine-embedder.onnx'), 'x')
    expect(await models('verify')).toExit(1, 'mine-embedder.onnx is damaged')
    expect((await models('use', 'mine')).said).toContain('mine-embedder.onnx is damaged')
    await rm(join(data, 'packs', 'mine', 'mine-embedder.onnx'))
    expect((await models('verify')).said).toContain('mine-embedder.onnx is missing')
  })

  it.each([
    ['its networks give other lengths', changedEmbedder({ dimension: 47 }), /48 numbers, not 47/],
    ['its networks have other outputs', changedEmbedder({ output: 'nothing' }), /no output "nothing"/],
    ['its detector is of a removed kind', scrfd, /kind scrfd are no longer supported/],
    [
      'it names a missing file',
      (pack: Tiny) => ({
        ...pack,
        files: { ...pack.files, 'mine-eyes.onnx': { path: 'no.onnx', licence: 'x' } },
      }),
      /There is no .*no\.onnx/,
    ],
    [
      'it has the name of a built-in pack',
      ({ files, packs }: Tiny) => ({ files, packs: { opencv: packs.mine } }),
      /another name/,
    ],
    [
      'its name leaves the folder',
      ({ files, packs }: Tiny) => ({ files, packs: { '../mine': packs.mine } }),
      /Invalid key/,
    ],
  ])('refuses a pack when %s, and leaves no files', async (_, change, message) => {
    const path = await described('mine', change)
    const { status, said } = await models('add', path)
    expect(status).toBe(1)
    expect(said).toMatch(message)
    expect(await readdir(join(data, 'packs')).catch(() => [])).toEqual([])
  })

  it('refuses files outside of the folder of the description, also by a link, and copies none', async () => {
    const secret = await temporaryPath('secret.onnx')
    await writeFile(secret, embedderFile(112))
    await symlink(secret, join(folder, 'link.onnx'))
    for (const path of [secret, relative(folder, secret), 'link.onnx']) {
      const files = { 'mine-embedder.onnx': { path, licence: 'none' } }
      const mine = await described('mine', pack => ({ ...pack, files: { ...pack.files, ...files } }))
      expect(await models('add', mine)).toMatchObject({
        status: 1,
        said: expect.stringContaining('Copy the file beside the description.'),
      })
    }
    expect(await readdir(join(data, 'packs')).catch(() => [])).toEqual([])
  })

  it('refuses a pack with invalid networks or with a name in use', async () => {
    const path = await described('mine')
    await writeFile(join(folder, 'mine-embedder.onnx'), 'not a network')
    expect(await models('add', path)).toExit(1, 'mine-embedder.onnx')
    expect(await models('add', await described('mine'))).toExit(0)
    expect(await models('add', await described('mine'))).toExit(1, 'exists already')
  })

  it('adds a pack of two networks with a projection, and refuses a projection of another size', async () => {
    const path = await described('mine', twoNetworks)
    await writeFile(join(folder, 'mine.f32'), new Uint8Array(4 * 32 * 95))
    expect(await models('add', path)).toExit(1, 'mine.f32')
    await writeFile(join(folder, 'mine.f32'), new Uint8Array(4 * 32 * 96))
    expect(await models('add', path)).toExit(0)
    const { embedder, files } = await packNamed(data, 'mine')
    expect(embedder.networks.map(({ weight }) => weight)).toEqual([1, 2])
    expect(Object.keys(files)).toContain('mine.f32')
  })

  it('lists the other packs beside one of a removed kind, and refuses to use this one', async () => {
    expect(await models('add', await described('mine'))).toExit(0)
    const manifest = join(data, 'packs', 'mine', 'manifest.json')
    await writeFile(manifest, JSON.stringify(scrfd(JSON.parse(await readFile(manifest, 'utf8')))))
    expect(await models('list')).toMatchObject({ status: 0, said: expect.not.stringContaining('mine') })
    expect(await models('use', 'mine')).toExit(1, 'The pack "mine" has a detector of the kind scrfd')
  })

  it('refuses to use a pack without calibration', async () => {
    const unmeasured = await described('mine', changedEmbedder({ calibration: undefined }))
    expect((await models('add', unmeasured)).said).toContain('calibrate')
    expect(await models('use', 'mine')).toExit(1, 'calibrate --pack mine')
    await writeFile(join(data, 'packs', 'mine', 'calibration.json'), '[[-1, 0], [1, 1]]')
    expect(await models('use', 'mine')).toExit(0)
    await writeFile(join(data, 'packs', 'mine', 'calibration.json'), '[[-1, 0]]')
    expect(await models('use', 'mine')).toExit(1, 'damaged')
  })
})

it('downloads the missing file of a pack, chooses the pack, and says that a running service needs a restart', async () => {
  const file = Buffer.from(yunetFile(64, [FACE_IN_THE_MIDDLE]))
  const origin = await serve((_, response) => void response.end(file))
  const { detector } = tinyPack('mine').packs.mine!
  const entry = { url: `${origin}/eyes`, licence: 'MIT', sha256: sha256Of(file), bytes: file.length }
  await mkdir(packFolder(data, 'mine'), { recursive: true })
  const manifest = { files: { [detector.file]: entry }, packs: { mine: { detector } } }
  await writeFile(join(packFolder(data, 'mine'), PACK_MANIFEST), JSON.stringify(manifest))
  const { status, said } = await models('use', 'mine')
  expect([status, said]).toEqual([0, expect.stringMatching(/restart it/)])
  expect(await chosenName(data)).toBe('mine')
  expect((await readFile(join(packFolder(data, 'mine'), detector.file))).equals(file)).toBe(true)
})

it('refuses the pack opencv until it is downloaded and calibrated', async () => {
  expect((await models('list')).said).toMatch(/opencv +4 of 6 +no +\S+ +Apache-2.0, MIT/)
  expect(await models('verify')).toExit(0, 'sface_2021dec.onnx is not pulled')
  expect(await models('use', 'opencv')).toExit(1, 'calibrate --pack opencv')
})

it('gives the pack yunet the embedder of the standard pack, with its own tables or tables of the data folder', async () => {
  const [yunet, standard] = await Promise.all(['yunet', 'standard'].map(name => packNamed(data, name)))
  expect(embedderLabel(yunet!)).toBe(embedderLabel(standard!))
  expect(yunet!.embedder.calibration).toEqual(MANIFEST.packs.yunet!.calibration)
  expect(yunet!.landmarks).toEqual(standard!.landmarks)
  await mkdir(join(data, 'packs', 'standard'), { recursive: true })
  await writeFile(join(data, 'packs', 'standard', 'calibration.json'), '[[-1, 0], [1, 1]]')
  expect((await packNamed(data, 'yunet')).embedder.calibration).toEqual({
    default: [
      [-1, 0],
      [1, 1],
    ],
  })
})

/** The label of the embedder of 0.2. */
const embedder = 'mobilefacenet-160-e73b9794'

it('refuses a pack with another embedder when faces are stored', async () => {
  const world = await openWorld(data, undefined, { embedder })
  await enrolOne(world, faceOf(250, 10, 10))
  await world.close()
  expect(await models('add', await described('mine'))).toExit(0)
  expect(await models('use', 'mine')).toExit(1, 'reembed mine')
  expect(await models('use', 'standard')).toExit(1, 'reembed standard')
})

it('reembed refuses faces without pictures unless --drop-missing is given', { tags: 'long' }, async () => {
  const world = await openWorld(data, undefined, { embedder })
  await enrolOne({ ...world, keep: { pictures: false, photoNames: true } }, faceOf(250, 10, 10))
  await world.close()
  await models('add', await described('mine'))
  expect(runMien(['models', 'reembed', 'mine', '--data', data])).toExit(
    1,
    "enrolled without pictures (MIEN_STORE_PICTURES=false), and can't be embedded again: 1.",
  )
  expect(runMien(['models', 'reembed', 'mine', '--drop-missing', '--data', data])).toExit(0)
})
