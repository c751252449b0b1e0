/** `npm run release`: the package installs without the repository, and its service recognises faces. */

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, lstatSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { makeRelease, SUMS_FILE } from '#commands/development/release/release.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { type Service, startService } from '#test/support/service.ts'

/** Greatest size of the package, and of everything that npm installs, in bytes. docs/deploy.md states the sizes. */
const PACKAGE_BYTES = 80e6
const INSTALLED_BYTES = 420e6

/** npm without a network: the registry is unreachable, and the cache lacks workerd. */
const OFFLINE = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT/

/** A slow registry may send a large package for hours. No timeout of a test ends the wait for a process. */
const LIMIT = { timeout: 240_000, killSignal: 'SIGKILL' } as const

/** Programs of the machine: its own Node and npm, not the repository's. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.startsWith(ROOT))
  .join(delimiter)

const ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS)|MIEN_|XDG_)/i.test(name)),
)

describe('a release', { tags: 'long' }, () => {
  let folder: string
  let offline = ''
  let installed: string
  let path: string
  let service: Service | undefined

  const run = (program: string, args: readonly string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...ENV, PATH }, ...LIMIT })
  const mien = (...args: string[]) => run(join(folder, 'bin', 'mien'), args)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-release-'))
    installed = join(folder, 'lib', 'node_modules', 'mien')
    path = await makeRelease(folder)
    expect((await stat(path)).size).toBeLessThan(PACKAGE_BYTES)
    const { status, error, stderr } = run('npm', [
      'install',
      '--global',
      '--prefix',
      folder,
      path,
      '--prefer-offline',
      '--fetch-retries=0',
      '--no-audit',
      '--no-fund',
    ])
    if (status !== 0 && OFFLINE.test(stderr + error)) offline = `npm cannot install it here: ${stderr}`
    else expect(status, stderr).toBe(0)
    // Compilation, compression and installation take a minute on two cores.
  }, 300_000)
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  it('holds the compiled program, and no sources and programs that build it', async ({ skip }) => {
    skip(offline !== '', offline)
    expect(globSync('{core,commands,edge,wasm,models}/**/*.ts', { cwd: installed })).toEqual([])
    for (const worker of globSync('core/**/*.worker.ts', { cwd: ROOT }))
      expect(existsSync(join(installed, worker.replace(/ts$/, 'js'))), worker).toBe(true)
    const packages = await readdir(join(installed, 'node_modules'))
    for (const name of ['wrangler', 'assemblyscript', 'esbuild', 'miniflare', 'typescript'])
      expect(packages).not.toContain(name)
    expect(await readdir(join(installed, 'node_modules', '@vladmandic', 'face-api'))).not.toContain('model')
  })

  it('takes less space than its limit', async ({ skip }) => {
    skip(offline !== '', offline)
    const [kibibytes] = run('du', ['-sk', installed]).stdout.split('\t')
    expect(Number(kibibytes) * 1024).toBeLessThan(INSTALLED_BYTES)
  })

  it('detects, enrols and identifies faces', async ({ skip }) => {
    skip(offline !== '', offline)
    service = await startService({
      mien: join(folder, 'bin', 'mien'),
      data: join(folder, 'data'),
      env: { PATH },
    })
    const api = clientOf(service.edge, service.token)
    const detected = await api('POST', '/v1/detect', form({ photo: await sample(1) }))
    expect(detected.body.faces).toHaveLength(3)
    const enrolled = await api(
      'POST',
      '/v1/face',
      form({ photo: await sample(3), meta: 'friend', mf_selector: 'all' }),
    )
    expect(enrolled.status).toBe(200)
    const found = await api(
      'POST',
      '/v1/identify',
      form({ photo: await sample(1), mf_selector: 'all', threshold: 'medium' }),
    )
    expect(JSON.stringify(found.body)).toContain('"meta":"friend"')
    for (const path of ['/console/sample1.jpg', '/docs/v1/swagger-ui-bundle.js', '/docs/v1/swagger-ui.css'])
      expect((await fetch(service.edge + path)).status, path).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  it('detects faces in a process of core, which `mien doctor` uses', ({ skip }) => {
    skip(offline !== '', offline)
    const { stdout } = mien('doctor', '--data', join(folder, 'data'))
    expect(stdout).toMatch(/ok +models /)
    expect(stdout).toMatch(/ok +detection +This process finds 3 faces/)
  })

  it('is as its list says, for sha256sum', ({ skip }) => {
    skip(offline !== '', offline)
    const { status, stdout, stderr } = spawnSync(
      'sha256sum',
      ['--check', '--strict', '--quiet', path.replace(/tgz$/, SUMS_FILE)],
      { cwd: installed, encoding: 'utf8' },
    )
    expect(stdout + stderr).toBe('')
    expect(status).toBe(0)
  })

  it('has the same bytes when it is made elsewhere, with another umask and time zone', {
    timeout: 300_000,
  }, async ({ skip }) => {
    skip(!process.env.MIEN_RELEASE_TWICE, 'npm run test:long makes the release twice')
    skip(lstatSync(join(ROOT, 'node_modules')).isSymbolicLink(), 'the bundle names the folder of packages')
    // On the same file system: the packages are linked, not copied.
    const elsewhere = await mkdtemp(join(ROOT, 'dist', 'elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    // The manifest pins the bytes of built models.
    const made = /^(\.git|node_modules|data|dist|(wasm|edge)\/built)$/
    const isSource = (source: string) => !made.test(relative(ROOT, source))
    for (const name of (await readdir(ROOT)).filter(name => !made.test(name)))
      await cp(join(ROOT, name), join(elsewhere, name), { recursive: true, filter: isSource })
    expect(run('cp', ['-al', join(ROOT, 'node_modules'), elsewhere]).status).toBe(0)
    const script = `umask 077 && ${process.execPath} commands/development/release/release.ts`
    const env = { ...ENV, PATH, TZ: 'Asia/Tokyo', LC_ALL: 'C' }
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: elsewhere, encoding: 'utf8', env })
    expect(status, stderr).toBe(0)
    expect(await readFile(join(elsewhere, 'dist', 'SHA256SUMS'), 'utf8')).toBe(
      await readFile(join(folder, 'SHA256SUMS'), 'utf8'),
    )
  })

  it('refuses builds that only the repository can do', ({ skip }) => {
    skip(offline !== '', offline)
    const { status, stderr } = mien('build', '--assets')
    expect(stderr).toContain('Use the repository')
    expect(status).toBe(1)
  })

  it('asks for another installation when a model is damaged', async ({ skip }) => {
    skip(offline !== '', offline)
    const model = join(installed, 'models', 'built', 'onet.onnx')
    const bytes = await readFile(model)
    await writeFile(model, bytes.subarray(1))
    const { status, stderr } = mien('models')
    expect(stderr).toContain('onet.onnx is damaged. Run: npm install --global RELEASE, again.')
    expect(status).toBe(1)
    await writeFile(model, bytes)
    expect(mien('models').stdout).toContain('onet.onnx: up to date')
  })

  it('looks for the files of a pack among its models, where `npm run release -- --with yunet` puts them', async ({
    skip,
  }) => {
    skip(offline !== '', offline)
    const file = 'face_detection_yunet_2023mar.onnx'
    await writeFile(join(installed, 'models', 'built', file), 'another file')
    expect(mien('models', 'verify').stdout).toContain(`yunet: ${file} is damaged`)
  })

  it('keeps its data outside of the folder that npm replaces', ({ skip }) => {
    skip(offline !== '', offline)
    expect(mien('--help').stdout).toMatch(/default:\s+\S+\/\.local\/share\/mien/)
  })
})
