/** Paths that stored data names: none leads out of its folder, in any format that is read. */
import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { exportFaces } from '#commands/api/export-faces.ts'
import { copyPackages } from '#commands/development/release/release.ts'
import { isBelowFolder, pathBelow } from '#contract/stored-path.ts'
import { CONTENTS, describeFiles } from '#core/backup/contents.ts'
import { unpack } from '#core/backup/repository/picture-packs.ts'
import { pieceForm } from '#core/backup/repository/record.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { restore } from '#core/backup/restore.ts'
import { folderObjects, prepareFolder } from '#core/pictures/folder.ts'
import { packNamed } from '#models/packs.ts'
import { serve } from '#test/support/servers/served.ts'
import { temporaryFolder } from '../core/folder.ts'

/** Paths that each reader is tried with. */
const RUNS = 30

/** Folders above the target, each with files that a path may hit. */
const LEVELS = ['.', 'a', 'a/b']

let base = ''
let target = ''
beforeEach(async () => {
  base = await temporaryFolder()
  target = join(base, 'a', 'b', 'target')
  await mkdir(join(base, 'a', 'b'), { recursive: true })
  for (const level of LEVELS) {
    await writeFile(join(base, level, 'mine.onnx'), 'mine')
    await writeFile(join(base, level, 'package.json'), '{"version":"1"}')
    await chmod(join(base, level, 'mine.onnx'), 0o644)
  }
})

/** Path, mode and content of everything below `base` that is not of the target. */
async function outside() {
  const found: string[] = []
  for (const name of (await readdir(base, { recursive: true })).sort()) {
    const path = join(base, name)
    if (path.startsWith(target)) continue
    const { mode } = await lstat(path)
    found.push(`${name} ${mode.toString(8)} ${mode & 0o040000 ? '' : await readFile(path, 'utf8')}`)
  }
  return found
}

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('..', '..', '.', '', 'mine.onnx', 'a', '...', '.. ', 'C:') },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
)
const anyPath = fc
  .tuple(
    fc.constantFrom('', '', '/', 'BASE/'),
    fc.array(part, { minLength: 1, maxLength: 6 }),
    fc.constantFrom('/', '/', '\\'),
  )
  .map(([start, parts, separator]) => start + parts.join(separator))

/** Functions that read a path from stored data, and write or open the file. */
const READERS: Record<string, (path: string) => Promise<unknown>> = {
  'a repository': async path => {
    const repository = await createRepository(join(target, 'repository'), undefined)
    const form = pieceForm(undefined)
    const write = async (content: string) => {
      const name = form.name(Buffer.from(content))
      await repository.writePiece(name, await form.stored(name, Buffer.from(content)))
      return name
    }
    const made = '2026-11-20T08:00:00.000Z'
    const file = { path, bytes: 6, pieces: [await write('forged')] }
    const list = await write(
      JSON.stringify({ made, embedder: 'x', files: [file], metadataAtEnd: file, pictures: [] }),
    )
    const counts = { faces: 1, bytes: 6, added: 0 }
    await repository.writeRecord({
      format: 'mien-backup-record',
      version: 1,
      made,
      ...counts,
      list,
      pieces: [],
    })
    const onStep = (step: string) => {
      if (step === 'pictures') throw new Error('All files are written.')
    }
    return restoreFrom({ repository, data: `${target}.data`, operatorKey: undefined, onStep })
  },
  'a pack of pictures': path => unpack(Buffer.from(`${JSON.stringify([[path, 6]])}\nforged`), target),
  'pictures, whose owners the metadata names': async path => {
    await prepareFolder(target)
    const objects = folderObjects(target)
    await objects.write([{ path, bytes: Buffer.from('forged'), type: 'image/jpeg' }])
  },
  'removed pictures': async path => {
    await prepareFolder(target)
    await folderObjects(target).remove([path])
  },
  'removed owners': async path => {
    await prepareFolder(target)
    await folderObjects(target).removeBelow(path)
  },
  'a pack of models': async path => {
    await mkdir(join(target, 'packs', 'own'), { recursive: true })
    const files = { [path]: { licence: 'MIT', sha256: '0'.repeat(64), bytes: 4 } }
    const input = { name: 'x', channels: 'RGB', mean: [0, 0, 0], std: [1, 1, 1] }
    const detector = { file: path, kind: 'yunet', input }
    const manifest = JSON.stringify({ files, packs: { own: { detector } } })
    await writeFile(join(target, 'packs', 'own', 'manifest.json'), manifest)
    const pack = await packNamed(target, 'own')
    // What loads a pack opens these paths.
    for (const file of Object.values(pack.files))
      if (file.path.startsWith(base)) await writeFile(file.path, 'forged')
  },
  'a release': path => {
    const bundled = new Map([[path, { version: '1', dependencies: {} }]])
    return copyPackages({ bundled, downloaded: {} }, join(base, 'a', 'b'), target)
  },
}

describe('pathBelow', () => {
  it('joins the paths of a data folder, and no path that leads out of it', () => {
    for (const path of ['metadata.db', 'pictures/.installation', 'packs/own/my net.onnx'])
      expect(pathBelow('/data', path)).toBe(`/data/${path}`)
    for (const path of ['', '.', '..', 'a/../../x', 'a//b', '/x', 'a/', 'a\\..\\x', 'C:x', 'a\0', '.. /x'])
      expect(() => pathBelow('/data', path), path).toThrow('is outside of its folder')
  })

  it('leads out of no folder', () => {
    fc.assert(
      fc.property(anyPath, path => {
        if (isBelowFolder(path)) expect(join('/data', path).startsWith('/data/')).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe.each(Object.keys(READERS))('%s', { tags: 'long' }, name => {
  it('writes, changes and removes nothing outside, whatever its paths are', async () => {
    const before = await outside()
    await fc.assert(
      fc.asyncProperty(anyPath, async path => {
        await mkdir(target, { recursive: true })
        await READERS[name]!(path.replace('BASE', base)).catch(() => {})
        expect(await outside()).toEqual(before)
        await rm(target, { recursive: true, force: true })
      }),
      { numRuns: RUNS, examples: [['../mine.onnx'], ['../../mine.onnx'], ['..']] },
    )
  })
})

it('an export of faces writes nothing outside, whatever ids the service answers', async () => {
  let id = ''
  const url = await serve((request, response) => {
    if (request.url === '/pictures/1') return response.end('forged')
    const face = { id, meta: '', galleries: [], thumbnail: `${url}/pictures/1` }
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ results: [face] }))
  })
  vi.stubEnv('MIEN_TOKEN', 'x')
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const before = await outside()
  await fc.assert(
    fc.asyncProperty(anyPath, async path => {
      id = path.replace('BASE', base)
      await exportFaces({ url }, target).catch(() => {})
      expect(await outside()).toEqual(before)
      await rm(target, { recursive: true, force: true })
    }),
    { numRuns: RUNS, examples: [['../../mine'], ['17']] },
  )
  expect(printed).toHaveBeenCalled()
})

/** An entry of the backup. `to`: the path behind a link. */
const entry = fc.record({
  kind: fc.constantFrom('file', 'link', 'pipe'),
  to: fc.oneof(fc.constantFrom('BASE/mine.onnx', 'BASE/a', '..', 'BASE'), anyPath),
})
const tree = fc.dictionary(fc.constantFrom('metadata.db', 'token', 'x', 'y', 'packs'), entry, {
  minKeys: 1,
})

async function place(path: string, kind: 'file' | 'link' | 'pipe', to: string) {
  if (kind === 'file') await writeFile(path, 'x')
  else if (kind === 'pipe') execFileSync('mkfifo', [path])
  else await symlink(to.replace('BASE', base).replaceAll('\0', '') || 'x', path)
}

it('a whole backup with links and pipes is refused, and changes no file and no mode outside', {
  tags: 'long',
}, async () => {
  const before = await outside()
  await fc.assert(
    fc.asyncProperty(tree, anyPath, async (entries, forged) => {
      const source = join(target, 'backup')
      await mkdir(source, { recursive: true })
      await writeFile(join(source, 'whole'), 'x')
      const files = await describeFiles(source)
      let odd = 0
      for (const [name, { kind, to }] of Object.entries(entries)) {
        await place(join(source, name), kind, to)
        if (kind === 'file') files.push({ ...files[0]!, path: name })
        else odd++
      }
      const forgeries = isBelowFolder(forged) ? [] : [{ ...files[0]!, path: forged.replace('BASE', base) }]
      const contents = { format: 'mien-backup', version: 1, made: '', embedder: 'x', faces: 0 }
      await writeFile(
        join(source, CONTENTS),
        JSON.stringify({ ...contents, files: [...files, ...forgeries] }),
      )
      const restored = restore({ source, data: `${target}.data` })
      if (odd + forgeries.length > 0) {
        await expect(restored).rejects.toMatchObject({ name: 'BackupRefused' })
        expect(await readdir(dirname(target))).not.toContain('target.data.restoring')
      } else await restored
      for (const made of [target, `${target}.data`]) await rm(made, { recursive: true, force: true })
      expect(await outside()).toEqual(before)
    }),
    { numRuns: RUNS, examples: [[{ x: { kind: 'link', to: 'BASE/mine.onnx' } }, 'x']] },
  )
})
