/** Cores on one disk, which die by the faults of the scheduler and start again; and the receiver of their messages. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '#contract/environment.ts'
import type { AlertMessage } from '#contract/model/alert.ts'
import { withDatabase } from '#core/metadata/database.ts'
import type { PostMessage } from '#core/operations/alerts/deliver.ts'
import { type Core, closeDisk, copyDisk, type Disk, openDisk, startCore } from './core.ts'
import type { Process, Scheduler } from './scheduler.ts'

/** A message that reached the receiver. */
export interface Received {
  url: string
  id: string
  message: AlertMessage
  /** Whether the receiver answered with 200. The answer may have been lost. */
  isAccepted: boolean
}

interface ClusterSettings {
  /** Data folder, which the cluster uses up. */
  data: string
  /** Cores at once. More than one share the metadata. */
  cores: number
  storesPictures: boolean
}

/** Waits of a supervisor before it starts a dead core, and of clients for a live one, in milliseconds. */
const RESTART_MS = 300
const RETRY_MS = 100

/** Cores that die while they start, before the faults end for the next one. */
const MOST_STARTS = 5

export class Cluster {
  readonly received: Received[] = []
  /** Called before a dead core starts again. */
  crashes = 0
  readonly #scheduler: Scheduler
  readonly #settings: ClusterSettings
  #disk: Disk
  readonly #cores: (Core | undefined)[]
  /** Why cores no longer start. */
  #failure: unknown
  #isClosing = false
  #started = 0

  static async open(scheduler: Scheduler, settings: ClusterSettings): Promise<Cluster> {
    const disk = await scheduler.step('open disk', () => openDisk(settings.data, settings.cores > 1))
    const cluster = new Cluster(scheduler, settings, disk)
    for (let slot = 0; slot < settings.cores; slot++) await cluster.#start(slot)
    return cluster
  }

  constructor(scheduler: Scheduler, settings: ClusterSettings, disk: Disk) {
    this.#scheduler = scheduler
    this.#settings = settings
    this.#disk = disk
    this.#cores = Array.from({ length: settings.cores })
  }

  get disk(): Disk {
    return this.#disk
  }

  /** A core that lives, once there is one. */
  async core(): Promise<Core> {
    for (;;) {
      const living = this.#living()
      if (living.length > 0) return this.#scheduler.chance.of(living)
      await this.#wait()
    }
  }

  /** Waits until all cores live. */
  async whole(): Promise<Core[]> {
    while (this.#living().length < this.#settings.cores) await this.#wait()
    return this.#living()
  }

  async #wait(): Promise<void> {
    if (this.#failure) throw this.#failure
    await sleep(RETRY_MS)
  }

  /** All other cores treat this core as dead, for example because it hangs. */
  presumeDead(core: Core): Promise<void> {
    core.process.isSpared = this.#settings.cores > 1
    return this.#endLeases(this.#living().filter(other => other !== core))
  }

  /** Ends all leases except the leases of these cores. The clock of the database is real: leases do not end by themselves. */
  #endLeases(living: readonly Core[]): Promise<void> {
    const ids = living.map(({ services }) => `'${services.lease?.core}'`).join()
    return this.#scheduler.step('end leases', () =>
      withDatabase(
        join(this.#disk.data, 'cores', 'operator'),
        { database: this.#disk.database },
        async opened => {
          await opened.run(`DELETE FROM cores WHERE id NOT IN (${ids})`)
        },
      ),
    )
  }

  kill(core: Core): void {
    if (core.process.isAlive && !core.process.isSpared) this.#scheduler.kill(core.process)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const core of this.#living()) await core.close()
    await this.#scheduler.step('close disk', () => closeDisk(this.#disk))
  }

  #living(): Core[] {
    return this.#cores.filter(core => core?.process.isAlive) as Core[]
  }

  async #start(slot: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const process = this.#scheduler.newProcess(`core ${++this.#started}`)
      const { storesPictures } = this.#settings
      const starting = startCore(this.#scheduler, this.#disk, { process, post: this.#post, storesPictures })
      const core = await Promise.race([
        starting.catch(error => this.#startFailed(process, error)),
        process.death.promise,
      ])
      if (core) {
        this.#cores[slot] = core
        void process.death.promise
          .then(() => this.#revive(slot, process))
          .catch(error => (this.#failure = error))
        return
      }
      await this.#afterDeath(process)
      if (attempt === MOST_STARTS) Object.assign(this.#scheduler.faults, { crash: 0, failure: 0 })
    }
  }

  /** A start that an injected failure ends is repeated, as by a supervisor. */
  #startFailed(process: Process, error: unknown): undefined {
    if (this.#scheduler.faults.failure === 0) throw error
    this.#scheduler.kill(process)
  }

  async #revive(slot: number, process: Process): Promise<void> {
    this.crashes++
    this.#cores[slot] = undefined
    if (this.#isClosing) return
    await this.#afterDeath(process)
    await sleep(RESTART_MS * this.#scheduler.chance.next())
    if (!this.#isClosing) await this.#start(slot)
  }

  /** A core alone takes its disk with it: the next one finds the files as they are. Of several, the lease ends. */
  async #afterDeath(process: Process): Promise<void> {
    if (this.#settings.cores > 1) {
      process.release()
      return this.#endLeases(this.#living())
    }
    await this.#scheduler.step('copy disk', async () => {
      const { data } = this.#disk
      const next = `${this.#settings.data}-${this.#started}`
      copyDisk(data, next)
      process.release()
      await closeDisk(this.#disk)
      rmSync(data, { recursive: true, force: true })
      this.#disk = await openDisk(next, false)
    })
  }

  /** Messages and answers get lost, and the receiver refuses some, while faults are on. */
  readonly #post: PostMessage = (url, { headers, body }, signal) =>
    this.#scheduler.step('post', async () => {
      const { chance, faults } = this.#scheduler
      if (signal?.aborted) throw signal.reason
      const fate = chance.is(faults.failure * 4) ? chance.of(['lost', 'refused', 'unanswered']) : 'answered'
      if (fate === 'lost') throw new Error('connection refused')
      const message = JSON.parse(String(body)) as AlertMessage
      const isAccepted = fate !== 'refused'
      this.received.push({ url, id: headers['webhook-id']!, message, isAccepted })
      if (fate === 'unanswered') throw new Error('no answer')
      return isAccepted ? 200 : 503
    })

  /** Advances the wall clock, and gives the periodic tasks time. */
  async pass(jumpMs: number, waitMs: number): Promise<void> {
    this.#scheduler.jump(jumpMs)
    await sleep(waitMs)
  }
}
