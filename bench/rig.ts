/** Resources that end with a measurement: folders, services, processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOf, type Send } from '#test/support/client.ts'
import { type Service, type ServiceOptions, startService } from '#test/support/service.ts'

export const ROOT = join(import.meta.dirname, '..')

export const MIEN = join(ROOT, 'commands', 'mien.js')

/** A running service, and a client with its token. */
export type Served = Service & { send: Send }

export class Rig {
  readonly #ends: (() => unknown)[] = []

  /** Ends a resource with the measurement. The last one ends first. */
  defer(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** A new folder. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
    this.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    return folder
  }

  /** Starts the service. */
  async service(options: ServiceOptions = {}): Promise<Served> {
    const service = await startService(options)
    this.defer(async () => {
      await service.stop()
      await service.remove()
    })
    return { ...service, send: clientOf(service.edge, service.token) }
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
  }
}

/** Runs a part of a measurement with a separate rig. */
export async function withRig<Measured>(use: (rig: Rig) => Promise<Measured>): Promise<Measured> {
  const rig = new Rig()
  try {
    return await use(rig)
  } finally {
    await rig.end()
  }
}
