/** Commands of the documentation, run against a service of their own. docs/tasks.md and clients/ have other tests. */

import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listTokens } from '#core/metadata/access/issue-tokens.ts'
import { clientOf, form, SAMPLES, sample } from '#test/support/client.ts'
import {
  blocksOf,
  isAssignment,
  PAGES,
  shellBlocks,
  shellCommands,
  withoutLauncher,
} from '#test/support/documented.ts'
import { ROOT } from '#test/support/root.ts'
import { type Service, startService } from '#test/support/service.ts'
import { newToken } from '#test/support/tokens.ts'

/** Commands that are only parsed, by test/unit/documentation.test.ts. */
const ONLY_PARSED: [command: RegExp, reason: string][] = [
  [/\bmien (watch|mqtt|core|edge|start(?! --help)|events)\b|--every/, 'runs until it is stopped'],
  [/\bnpm /, 'builds, installs or tests the repository'],
  [/^(sudo|docker|kubectl) /, 'needs a machine, a container or a cluster'],
  [/s3:\/\/|faces\.example\.com|mien store move/, 'needs a bucket or another service'],
  [/mien encryption rotate/, 'needs a stopped service and keys'],
  [/mien models (pull|add|use|reembed)/, 'needs the network or files'],
  [/mien secrets (rotate|retire) edge/, 'is for edges elsewhere, which have to follow'],
  [/mien backup drill/, 'needs a backup with faces that are older than an hour'],
]

/** Programs that replace programs of the machine. `curl` fails for refusals, shows headers, and ends streams. */
const PROGRAMS = {
  mien: `exec '${process.execPath}' '${join(ROOT, 'commands', 'mien.js')}' "$@"`,
  npx: '[ "$1" = mien ] && shift && exec mien "$@"',
  curl: `PATH=\${PATH#*:}
case " $* " in *" -N "*) curl --max-time 2 -sS --fail-with-body -D - "$@"; [ $? = 28 ];;
*) exec curl -sS --fail-with-body -D - "$@";; esac`,
}

const PAGES_HERE = PAGES.filter(page => page !== 'docs/tasks.md' && !page.startsWith('clients/'))

describe('the commands of', { tags: 'long' }, () => {
  let service: Service
  let folder: string
  let camera: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mien-documented-'))
    service = await startService({ data: join(folder, 'data') })
    const api = clientOf(service.edge, service.token)
    for (const gallery of ['staff', 'visitors']) await api('POST', `/v1/galleries/${gallery}`)
    camera = (await api('POST', '/v1/camera', { meta: 'door' })).body.id
    await api('POST', '/v1/face', form({ photo: await sample(2), person_id: '7' }))
    await writePrograms(join(folder, 'bin'))
    await writeFiles(folder)
  })
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** The command with addresses, folders and ids of this service. */
  async function here(text: string) {
    const token = /token (rotate|revoke) ID/.test(text) ? await newId() : 'ID'
    const head = text.includes('812:4f0c...') ? (await run('mien audit head')).stdout.trim() : ''
    return text
      .replaceAll('http://127.0.0.1:8787', service.edge)
      .replaceAll('http://127.0.0.1:8788', service.core)
      .replace('DATA=data', `DATA=${service.data}`)
      .replaceAll('/srv/mien-again', join(folder, 'again'))
      .replaceAll('/srv/mien', service.data)
      .replaceAll(/(?<=\s)\/(backups|safe)\//g, `${folder}/$1/`)
      .replaceAll('node_modules/@vladmandic/face-api/demo', SAMPLES)
      .replace('--at 2026-11-20T08:00', '')
      .replace('812:4f0c...', head)
      .replace(/\bID\b(?=$| --)/, token)
  }

  async function newId() {
    const before = await tokenIds()
    newToken(service.data, 'starter')
    return (await tokenIds()).find(id => !before.includes(id))!
  }

  const tokenIds = async () => (await listTokens(service.data)).map(({ id }) => id)

  async function run(script: string) {
    const shell = spawn('bash', ['-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: {
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
        HOME: folder,
        MIEN_DATA: service.data,
        MIEN_URL: service.edge,
        MIEN_TOKEN: service.token,
        ID: camera,
        CAMERA: camera,
      },
    })
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)])
    return { stdout, stderr }
  }

  it.each(PAGES_HERE)(
    '%s succeed, and the service ignores no parameter',
    async page => {
      const commands = shellBlocks(page)
        .flatMap(shellCommands)
        .filter(
          each => isAssignment(each) || /^(?:mien|curl|sed|echo)$/.test(withoutLauncher(each.words)[0] ?? ''),
        )
        .filter(({ text }) => !ONLY_PARSED.some(([command]) => command.test(text)))
      const local: string[] = []
      for (const { text } of commands) local.push(await here(text))
      const lines = local.map((command, i) => `{ ${command}\n} || echo "failed: $? command ${i}" >&2`)
      const { stdout, stderr } = await run(lines.join('\n'))
      const failed = [...stderr.matchAll(/^failed: (\d+) command (\d+)$/gm)]
      expect(
        failed.map(([, code, i]) => `${commands[Number(i)]!.text}: ${code}`),
        stderr + stdout,
      ).toEqual([])
      expect(/^x-ignored-parameters: .*$/im.exec(stdout)?.[0]).toBeUndefined()
    },
    300_000,
  )

  it('are only parsed for a reason that still holds', () => {
    const texts = PAGES_HERE.flatMap(shellBlocks)
    for (const [command, reason] of ONLY_PARSED)
      expect(
        texts.some(text => shellCommands(text).some(each => command.test(each.text))),
        reason,
      ).toBe(true)
  })
})

async function writePrograms(folder: string) {
  await mkdir(folder)
  for (const [name, script] of Object.entries(PROGRAMS)) {
    await writeFile(join(folder, name), `#!/bin/bash\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
}

/** The files that commands name. */
async function writeFiles(folder: string) {
  const photo = (number: number, name: string) =>
    copyFile(join(SAMPLES, `sample${number}.jpg`), join(folder, name))
  for (const name of ['people/Ann', 'backups', 'safe']) await mkdir(join(folder, name), { recursive: true })
  for (const name of ['photo.jpg', 'a.jpg', 'b.jpg', 'group.jpg', 'people/Ann/1.jpg']) await photo(3, name)
  await writeFile(join(folder, 'people.csv'), 'photo,name\na.jpg,Ann\n')
  const [list = ''] = blocksOf('docs/migrate.md', 'csv')
  await mkdir(join(folder, 'old', 'thumbnails'), { recursive: true })
  await writeFile(join(folder, 'old', 'faces.csv'), list)
  await photo(1, 'old/thumbnails/2305.jpg')
  await photo(2, 'old/thumbnails/2306.jpg')
  await writeFile(join(folder, 'vector.f32'), new Float32Array(128).fill(1))
}
