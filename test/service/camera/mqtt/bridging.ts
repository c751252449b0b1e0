/** `mien mqtt` as its own process, and an owner whose cameras post faces. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished, vi } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import type { Service } from '#bench/harness/service.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { ROOT } from '../../commands/typed.ts'

export interface Owner {
  send: Send
  /** Origin of the service. */
  edge: string
  /** A token of scope `read`. */
  token: string
  camera(fields: object): Promise<string>
  /** Posts a face of always the same person. */
  post(camera: string): Promise<{ id: number; person_id?: number }>
}

let owners = 0

/** A running service. */
export type Place = Pick<Service, 'edge' | 'data'>

const shared = (): Place => ({ edge: inject('edge'), data: inject('data') })

/** A new owner of the service. */
export function newOwner({ edge, data } = shared()): Owner {
  const name = `mqtt ${process.pid} ${owners++}`
  const send = clientOf(edge, newToken(data, name))
  return {
    send,
    edge,
    token: newToken(data, name, { scope: 'read' }),
    async camera(fields) {
      const { status, body } = await send('POST', '/v1/camera', fields)
      if (status !== 201) throw new Error(`POST /v1/camera answers ${status}`)
      return body.id
    },
    async post(camera) {
      const { status, body } = await send(
        'POST',
        '/v1/face',
        form({ photo: await sample(1), cam_id: camera }),
      )
      if (status !== 200) throw new Error(`POST /v1/face answers ${status}`)
      return body.results[0]
    },
  }
}

/** Starts `mien mqtt`. It ends with the test. */
export function bridging(
  { edge, token }: Pick<Owner, 'edge' | 'token'>,
  broker: string,
  args: readonly string[] = [],
  env = {},
) {
  const command = [join(ROOT, 'commands', 'mien.js'), 'mqtt', '--broker', broker, ...args]
  const child = spawn(process.execPath, command, {
    env: { ...process.env, MIEN_URL: edge, MIEN_TOKEN: token, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Record<string, unknown>[] = []
  let output = ''
  createInterface({ input: child.stdout }).on('line', line => {
    output += line
    lines.push(JSON.parse(line))
  })
  child.stderr.on('data', chunk => (output += chunk))
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    exited,
    output: () => output,
    /** Waits for a line with this event. */
    line: (event: string) =>
      vi.waitFor(
        () => {
          const found = lines.find(line => line.event === event)
          if (!found) throw new Error(`"${event}" was expected:\n${output}`)
          return found
        },
        { timeout: 60_000, interval: 50 },
      ),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}
