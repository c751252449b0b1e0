/**
 * Makes data-folder-0.1.0.tar.gz with the code of version 0.1.0 itself: `node test/service/upgrade/make-data-folder.ts`.
 * Needs the whole history, and a network for `npm ci`.
 *
 * The archive has `data`, a stopped data folder, and `expected.json`: its API tokens, and what 0.1.0 answered. The faces
 * are of the photos of the npm package @vladmandic/face-api. Secrets and tokens in it protect nothing else.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { answersOf, matchesOf } from './answers.ts'

/** The last commit of 0.1.0. The next commit begins the store of 0.2.0. */
const COMMIT = '16a12dc7259d26e39e2097def8998809fa2dd633'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ARCHIVE = join(import.meta.dirname, 'data-folder-0.1.0.tar.gz')

const OPTIONS = 'person_identify = True\nperson_identify_global = True\ngae = True\n'

const work = await mkdtemp(join(tmpdir(), 'mien-0.1.0-'))
const [checkout, data] = [join(work, 'checkout'), join(work, 'data')]
const inCheckout = { cwd: checkout, encoding: 'utf8' } as const
execFileSync('git', ['worktree', 'add', '--detach', checkout, COMMIT], { cwd: ROOT })
try {
  execFileSync('npm', ['ci', '--ignore-scripts'], inCheckout)
  await mkdir(data)
  await writeFile(join(data, 'facenapi.ini'), OPTIONS)
  await writeFile(join(work, 'expected.json'), JSON.stringify(await serve(), null, 2))
  execFileSync('tar', ['-czf', ARCHIVE, '-C', work, 'data', 'expected.json'])
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: ROOT })
  await rm(work, { recursive: true, force: true })
}

/** Runs 0.1.0 on the data folder, and fills it. */
async function serve(): Promise<object> {
  const options = ['--data', data, '--edge-port', '0', '--core-port', '0']
  const service = spawn(process.execPath, ['commands/start.ts', ...options], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stopped = once(service, 'exit')
  try {
    const { edge, token } = await whenReady()
    const second = createToken('second', 'door')
    const revoked = createToken('second', 'lost')
    revokeToken('lost')
    await fillStarter(clientOf(edge, token))
    await clientOf(edge, second)('POST', '/v1/face', form({ photo: await sample(2), meta: 'second' }))
    return {
      starter: {
        token,
        answers: await answersOf(edge, token),
        matches: [await matchesOf(edge, token, 6), await matchesOf(edge, token, 3)],
      },
      second: {
        token: second,
        answers: await answersOf(edge, second),
        matches: [await matchesOf(edge, second, 2)],
      },
      revoked,
    }
  } finally {
    service.kill('SIGTERM')
    await stopped
  }
}

/** Faces with attributes, in galleries, of cameras, with persons; a gallery and a camera without faces. */
async function fillStarter(send: Send): Promise<void> {
  await send('POST', '/v1/galleries/staff')
  await send('POST', '/v1/galleries/visitors')
  const camera = { meta: 'entrance', url: 'http://camera.example/1', detector: '1' }
  const { body: entrance } = await send('POST', '/v1/camera', camera)
  await send('POST', '/v1/camera', { ...camera, meta: 'exit', enabled: false })
  const details = { age: '1', gender: '1', emotions: '1' }
  const one = form({ photo: await sample(6), meta: 'Zoë Müller', galleries: 'staff', ...details })
  await send('POST', '/v1/face', one)
  const group = { photo: await sample(3), meta: 'group', cam_id: entrance.id }
  await send('POST', '/v1/face', form({ ...group, mf_selector: 'all' }))
  await send('POST', '/v1/face', form({ ...group, meta: '' }))
}

async function whenReady(): Promise<{ edge: string; token: string }> {
  for (;;) {
    const text = await readFile(join(data, 'ready.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text)
    await sleep(500)
  }
}

/** Output of `npm run token` of 0.1.0. */
function tokenCommand(...args: string[]): string {
  return execFileSync(process.execPath, ['commands/token.ts', ...args, '--data', data], inCheckout)
}

function createToken(owner: string, name: string): string {
  return tokenCommand('create', '--owner', owner, '--name', name).trim()
}

/** Revokes the token of this name. */
function revokeToken(name: string): void {
  const line = new RegExp(`'([0-9a-f]{12})'.*'${name}'`).exec(tokenCommand('list'))
  tokenCommand('revoke', line![1]!)
}
