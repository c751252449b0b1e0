/** A repository in a bucket: backups and restores while requests fail, and the outage of a bucket. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OWNER } from '#bench/harness/sample-faces.ts'
import { hasSwift, KEYS, type Swift, startSwift } from '#bench/harness/swift.ts'
import { createRepository, findRepository, type Repository } from '#core/backup/repository/repository.ts'
import { deleteFace } from '#core/operations/delete-faces.ts'
import { kept } from '../../operations/world.ts'
import { type FaultyProxy, faultyProxy } from '../../pictures/faulty-proxy.ts'
import { backedUp, drilled, furnished, KEEP, restored } from './backups.ts'

describe.skipIf(!hasSwift)('a repository in a bucket', { tags: ['long', 'swift'] }, () => {
  let swift: Swift
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift.stop())

  let proxy: FaultyProxy
  let repository: Repository
  let address = ''
  beforeEach(async () => {
    proxy = await faultyProxy(swift.origin)
    address = `s3://${await swift.makeBucket()}/site?endpoint=${proxy.origin}`
    repository = await createRepository(address, KEYS, { attempts: 4 })
  })

  it('keeps, restores, drills and prunes as one in a folder', async () => {
    const { world, red } = await furnished()
    const start = Date.UTC(2027, 0, 1)
    for (const days of [0, 100, 101]) await backedUp(world, repository, { now: start + days * 86_400_000 })
    const before = (await repository.holdings()).pieces.size
    await deleteFace(world, { owner: OWNER, id: red })
    const { pruned } = await backedUp(world, repository, { now: start + 102 * 86_400_000, keep: KEEP })
    expect(pruned).toMatchObject({ backups: 1, future: [] })
    expect(pruned.pieces).toBeGreaterThan(0)
    expect(before).toBeGreaterThan(0)
    expect((await repository.holdings()).backups).toHaveLength(3)
    expect(await kept(await restored(repository))).toEqual(await kept(world))
    expect((await drilled(world, repository)).faults).toEqual([])
  })

  it('outlasts a failure of every third request', async () => {
    const { world } = await furnished()
    let count = 0
    proxy.decide(() =>
      ++count % 3 === 0 ? ([503, 'lost', 'half'] as const)[count % 9 === 0 ? 0 : count % 2 ? 1 : 2] : 'well',
    )
    await backedUp(world, repository)
    expect(await kept(await restored(repository))).toEqual(await kept(world))
    expect(count).toBeGreaterThan(20)
  })

  it('refuses during an outage, keeps the earlier backup, and continues afterwards', async () => {
    const { world } = await furnished()
    await backedUp(world, repository)
    await expect(
      backedUp(world, repository, {
        async onStep(step) {
          if (step === 'changes') await proxy.stop()
        },
      }),
    ).rejects.toThrow(/^s3:\/\/.* fails: silent\.$/)
    await proxy.serve()
    const again = await findRepository(address, KEYS)
    const { backups, locks } = await again.holdings()
    expect(backups).toHaveLength(1)
    // The lock ends by its time, since it could not be removed.
    await again.place.remove(locks)
    await backedUp(world, again)
    expect(await kept(await restored(again))).toEqual(await kept(world))
  })

  it('names the code of a refusal, and not the key', async () => {
    const { world } = await furnished()
    proxy.decide(() => 403)
    const refused = await backedUp(world, repository).catch((error: Error) => error.message)
    expect(refused).toMatch(/^s3:\/\/.* fails: 403 InternalError\.$/)
    expect(refused).not.toContain(KEYS.accessKeyId)
  })
})
