/** Changes of edges: late changes, effects of failed changes, and lost answers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LibsqlError } from '@libsql/client'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { apiRefusal } from '#core/http/refusals.ts'
import { ChangeOutcomes, latestStartOf, runChange } from '#core/http/rpc/changes.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { auditEntries } from '#core/metadata/audit-log/entries.ts'
import { watchAvailability } from '#core/metadata/connection/availability.ts'
import { METADATA_FILE } from '#core/metadata/database.ts'
import { auditLog } from '#core/operations/audit-log/audit-log.ts'
import { createCamera } from '#core/operations/cameras/cameras.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { listGalleries } from '#core/operations/galleries/galleries.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { enrolment, faceOf, OWNER } from '#test/support/sample-faces.ts'
import { createGallery, emptyWorld, expectKept, it, openWorld, type World } from '../../operations/world.ts'

const soon = () => performance.now() + 200

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => (apiRefusal(error) as { code?: string }).code,
  )

const create = (world: World) => createGallery(world, 'new')

const createTestCamera = (world: World) => createCamera(world, { owner: OWNER, camera: { enabled: true } })

const ENTRY = { actor: 'service', action: 'authentication.failed', subject: {} } as const

const record = (world: World) => auditLog(world)(ENTRY)

const galleriesOf = async (world: World) => (await listGalleries(world, { owner: OWNER })).galleries

describe('runChange', () => {
  it('stores nothing of an enrolment whose time ends before its transaction', async ({ world }) => {
    const embed: World['embed'] = async chips => {
      await sleep(300)
      return world.embed(chips)
    }
    const late = runChange(soon(), () => enrol({ ...world, embed }, enrolment(1), [faceOf(1, 1, 1)]))
    expect(await codeOf(late)).toBe('SERVICE_UNAVAILABLE')
    await expectKept(world)
  })

  it('checks the time after the transaction has waited for another process', async () => {
    const world = await openWorld()
    // Its own process: a connection waits for the lock without letting others run.
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER], {
      env: { ...process.env, DATABASE: join(world.data, METADATA_FILE) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    expect(await codeOf(runChange(soon(), () => create(world)))).toBe('SERVICE_UNAVAILABLE')
    expect(await galleriesOf(world)).not.toContain('new')
    expect(await codeOf(runChange(Number.POSITIVE_INFINITY, () => create(world)))).toBe('done')
  })

  it.each([
    ['after a write', 'OUTCOME_UNKNOWN', create],
    ['after a write that returns its row', 'OUTCOME_UNKNOWN', createTestCamera],
    ['after an entry of the audit log', 'OUTCOME_UNKNOWN', record],
    ['before any write', 'SERVICE_UNAVAILABLE', galleriesOf],
  ])('that fails %s answers %s', async (_, code, work) => {
    const world = await emptyWorld()
    const failing = runChange(Number.POSITIVE_INFINITY, async () => {
      await work(world)
      throw new StoreUnavailable('away')
    })
    expect(await codeOf(failing)).toBe(code)
  })

  it('that ends too late keeps no other one from the audit log', async ({ world }) => {
    const audit = auditLog(world)
    const late = runChange(performance.now() - 1, () => audit(ENTRY))
    const inTime = runChange(Number.POSITIVE_INFINITY, async () => {
      await audit(ENTRY)
      throw new StoreUnavailable('away')
    })
    expect([await codeOf(late), await codeOf(inTime)]).toEqual(['done', 'OUTCOME_UNKNOWN'])
    const entries = []
    for await (const { action } of auditEntries(world.database)) entries.push(action)
    expect(entries).toEqual([ENTRY.action, ENTRY.action])
  })

  it('lets work that outlasts its request write later', async ({ world }) => {
    let later: Promise<unknown> | undefined
    await runChange(soon(), async () => {
      later = sleep(300).then(() => create(world))
    })
    expect(await codeOf(later!)).toBe('done')
  })

  it.each([
    ['SERVER_ERROR', 'OUTCOME_UNKNOWN'],
    ['SQLITE_BUSY', 'SERVICE_UNAVAILABLE'],
    ['WAITED', 'SERVICE_UNAVAILABLE'],
  ])('whose database fails with %s answers %s', async (code, answer) => {
    const failing = () => Promise.reject(new LibsqlError('no answer', code))
    const client = { execute: failing, batch: failing, executeMultiple: failing } as never
    const { batch } = watchAvailability(client, () => {})
    const write = runChange(Number.POSITIVE_INFINITY, () => batch(['DELETE FROM faces']))
    expect(await codeOf(write)).toBe(answer)
  })
})

/** Holds the write lock for a second. */
const HOLDER = `
  import { createClient } from '@libsql/client'
  const client = createClient({ url: 'file:' + process.env.DATABASE })
  const transaction = await client.transaction('write')
  console.log('held')
  setTimeout(() => transaction.rollback(), 1000)`

it.each([
  ['1500', 2_500],
  ['0', 1_000],
  ['999999', 46_000],
  [undefined, 13_000],
  ['-5', 13_000],
  ['1e9', 13_000],
])('latestStartOf for a change that arrived at 1000 within %j is %i', (within, latest) => {
  expect(latestStartOf(1_000, within)).toBe(latest)
})

describe('ChangeOutcomes', () => {
  const NONCE = 'a'.repeat(32)
  const question = { nonce: NONCE, signedAt: 500 }
  const ANSWER = encodeFrame({ faces: [] })

  /** Outcomes of a core that started long ago. */
  function outcomes() {
    const nonces = new Nonces(0)
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(-60_000)
    const opened = new ChangeOutcomes(nonces)
    clock.mockRestore()
    return { nonces, ask: () => opened.outcomeOf(question, 600), run: opened.run.bind(opened), opened }
  }

  it('waits for a change in progress, and repeats its answer', async () => {
    const { ask, run } = outcomes()
    const done = Promise.withResolvers<typeof ANSWER>()
    const running = run(NONCE, () => done.promise)
    const asked = ask()
    done.resolve(ANSWER)
    await running
    for (const { response, blobs } of [await asked, await ask()]) {
      expect(response).toEqual({ outcome: 'answered', status: 200 })
      expect(blobs).toEqual([ANSWER])
    }
  })

  it('repeats the refusal of a change without the message of its error', async () => {
    const { ask, run } = outcomes()
    await run(NONCE, () => Promise.reject(new Error('secret'))).catch(() => {})
    const { response, blobs } = await ask()
    expect(response.status).toBe(500)
    expect(decodeFrame(blobs[0]!).header).toEqual({ code: 'INTERNAL_ERROR', detail: {} })
  })

  it('spends the nonce of a change that did not arrive: it is not executed later', async () => {
    const { ask, nonces } = outcomes()
    expect((await ask()).response).toEqual({ outcome: 'not executed' })
    expect(nonces.remember(NONCE, 500, 600)).toBe('repeated')
    expect((await ask()).response).toEqual({ outcome: 'unknown' })
  })

  it('does not know a change that is older than its core', async () => {
    const opened = new ChangeOutcomes(new Nonces(0))
    expect((await opened.outcomeOf(question, 600)).response).toEqual({ outcome: 'unknown' })
  })

  it('forgets the oldest answers beyond its memory, and never a change in progress', async () => {
    const { ask, opened } = outcomes()
    const large = () => Promise.resolve(new Uint8Array(20 * 2 ** 20))
    const done = Promise.withResolvers<typeof ANSWER>()
    const running = opened.run(NONCE, () => done.promise)
    for (const nonce of ['b', 'c', 'd']) await opened.run(nonce, large)
    await opened.run('e', large)
    done.resolve(ANSWER)
    await running
    expect((await ask()).response.outcome).toBe('answered')
    const question = (nonce: string) => opened.outcomeOf({ nonce, signedAt: 500 }, 600)
    expect((await question('e')).response.outcome).toBe('answered')
    expect((await question('b')).response.outcome).not.toBe('answered')
  })
})
