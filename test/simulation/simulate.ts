import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '#contract/environment.ts'
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { collectGarbage } from '#core/vector-store/background.ts'
import { times } from '#test/support/times.ts'
import { Backups } from './backups.ts'
import { BY, type Client, clientOf } from './client.ts'
import { Cluster } from './cluster.ts'
import { copyDisk, newDataFolder } from './core.ts'
import { expectConsistent } from './invariants.ts'
import { OwnerModel } from './model.ts'
import { Scheduler } from './scheduler.ts'
import { act } from './workload.ts'

/** Owners of a history. The service identifies the persons of the first one. The clients of the second one name its persons. */
const OWNERS = ['a0'.repeat(12), 'b1'.repeat(12)]

/** Memory, where the machine has it as a folder: a history copies its disk at each crash. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Histories between collections of garbage. */
const COLLECT_EVERY = 20

export interface History {
  seed: number
  steps: number
  crashes: number
  /** Equal for equal histories. */
  digest: string
  /** The promise that does not hold; undefined when all do. */
  failure: unknown
  /** The last steps before a failure. */
  trace: string[]
}

/** Empty data folders, by whether cores share the metadata. They are made once in a process. */
const templates = new Map<boolean, Promise<string>>()

async function template(isShared: boolean) {
  const root = mkdtempSync(join(FOLDER, 'mien-simulation-'))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  await newDataFolder(join(root, 'data'), OWNERS, isShared)
  return join(root, 'data')
}

/** Changes of persons in steps, in every second history. */
const STEPS = { personStep: 1, personEnd: 1 }

/** Runs a history. Never rejects: a failure is in the result. */
export async function simulate(seed: number): Promise<History> {
  for (const isShared of [false, true])
    if (!templates.has(isShared)) templates.set(isShared, template(isShared))
  await Promise.all(templates.values())
  const scheduler = new Scheduler(seed)
  const root = mkdtempSync(join(FOLDER, 'mien-history-'))
  const crashes = { count: 0 }
  const { personStep, personEnd } = FACE_LIMITS
  let failure: unknown
  try {
    if (seed % 2 === 0) Object.assign(FACE_LIMITS, STEPS)
    const inRealTime = await scheduler.run(() => history(scheduler, join(root, 'data'), crashes))
    scheduler.close()
    await inRealTime()
  } catch (error) {
    failure = error
  } finally {
    scheduler.close()
    Object.assign(FACE_LIMITS, { personStep, personEnd })
    rmSync(root, { recursive: true, force: true })
    // The collection closes connections of dead processes.
    if (seed % COLLECT_EVERY === 0) collectGarbage()
  }
  const { steps, trace } = scheduler
  return { seed, steps, crashes: crashes.count, digest: scheduler.digest(), failure, trace }
}

/** Returns what remains to be compared after the history. */
async function history(scheduler: Scheduler, data: string, crashes: { count: number }) {
  const { chance, faults } = scheduler
  const cores = chance.is(0.35) ? 2 : 1
  copyDisk(await templates.get(cores > 1)!, data)
  const cluster = await Cluster.open(scheduler, { data, cores, storesPictures: chance.is(0.25) })
  const owners = OWNERS.map((id, i) => new OwnerModel(id, i === 1, () => scheduler.steps))
  for (const owner of owners) {
    const core = await cluster.core()
    const request = { owner: owner.id, by: BY, camera: { enabled: true } }
    const { camera } = await core.request('camera.create', request)
    owner.camera = camera.id.replaceAll('-', '')
  }
  faults.crash = chance.of([0, 0.002, 0.01])
  faults.failure = chance.of([0, 0, 0.01, 0.05])
  faults.slow = chance.of([0, 0.01, 0.05])
  const failures: unknown[] = []
  const violate = (error: unknown) => void failures.push(error)
  const clients = times(2 + chance.below(4), i => {
    const owner = owners[i % owners.length]!
    const client = clientOf(scheduler, cluster, owner, violate)
    const other = owners[(i + 1) % owners.length]!
    return work(client, other, 4 + chance.below(12)).catch(violate)
  })
  const backups = new Backups(scheduler, `${data}-backups`)
  const rounds = cores === 1 && chance.is(0.3) ? 2 : 0
  const backingUp = backUp(scheduler, cluster, backups, rounds).catch(violate)
  await Promise.all([...clients, disturb(scheduler, cluster, clients.length), backingUp])
  crashes.count = cluster.crashes
  if (failures.length > 0) throw failures[0]
  Object.assign(faults, { crash: 0, failure: 0, slow: 0 })
  await recover(scheduler, cluster)
  await expectConsistent(scheduler, cluster, owners)
  await cluster.close()
  return () => backups.expectRestored(cluster.disk.data, owners)
}

async function backUp(scheduler: Scheduler, cluster: Cluster, backups: Backups, times: number) {
  for (let i = 0; i < times; i++) {
    await sleep(scheduler.chance.below(1_500))
    await backups.make(cluster)
  }
}

async function work(client: Client, other: OwnerModel, operations: number) {
  for (let i = 0; i < operations; i++) {
    await act(client, other)
    if (client.chance.is(0.5)) await sleep(client.chance.below(400))
  }
}

/** Sets the clock and takes cores for dead, beside the clients. */
async function disturb(scheduler: Scheduler, cluster: Cluster, times: number) {
  const { chance } = scheduler
  for (let i = 0; i < times; i++) {
    await sleep(chance.below(1_500))
    if (chance.is(0.3)) scheduler.jump(chance.of([-3_600_000, -5, 60_000, 4 * 3_600_000]))
    if (chance.is(0.4)) await cluster.presumeDead(await cluster.core())
  }
}

/** Lets a last crash and all periodic tasks come to their end. */
async function recover(scheduler: Scheduler, cluster: Cluster) {
  for (const core of await cluster.whole()) if (scheduler.chance.is(0.5)) cluster.kill(core)
  await sleep(1_000)
  await cluster.whole()
}
