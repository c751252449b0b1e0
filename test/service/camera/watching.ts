/** `mien watch` as its own process, its log, and the events of its cameras. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished, vi } from 'vitest'
import { clientOf } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { ROOT } from '../commands/typed.ts'

export interface Line {
  event: string
  camera?: string
  [fact: string]: unknown
}

/** An event of the history, and what the watcher has told about its face. */
export interface Visit {
  cam_id: string
  timestamp: string
  x1: number
  x2: number
  y1: number
  y2: number
}

/** A new owner: its cameras and their visits. */
export function newOwner(name: string) {
  const send = clientOf(inject('edge'), newToken(inject('data'), name))
  return {
    send,
    token: newToken(inject('data'), name, { scope: 'camera' }),
    async camera(fields: object): Promise<string> {
      const { status, body } = await send('POST', '/v1/camera', fields)
      if (status !== 201) throw new Error(`POST /v1/camera answers ${status}`)
      return body.id
    },
    // biome-ignore lint/suspicious/noExplicitAny: as the API answers
    async state(camera: string): Promise<any> {
      return (await send('GET', `/v1/cameras/${camera}/state`)).body
    },
    async visits(camera: string): Promise<Visit[]> {
      return (await send('POST', '/v1/history/search', { cam_ids: [camera] })).body.results
    },
    // biome-ignore lint/suspicious/noExplicitAny: faces of the API, of which tests say what they expect
    async faces(): Promise<any[]> {
      return (await send('GET', '/v1/faces')).body.results
    },
  }
}

/** Starts `mien watch` with a token of scope `camera`. It ends with the test. */
export function watching(token: string, args: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'commands', 'mien.js'), 'watch', ...args], {
    env: { ...process.env, MIEN_URL: inject('edge'), MIEN_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Line[] = []
  let output = ''
  createInterface({ input: child.stdout }).on('line', line => {
    output += line
    lines.push(JSON.parse(line))
  })
  child.stderr.on('data', chunk => (output += chunk))
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    pid: child.pid!,
    exited,
    output: () => output,
    count: (event: string, camera?: string): number =>
      lines.filter(line => line.event === event && (camera === undefined || line.camera === camera)).length,
    /** Waits for the nth line with this event. */
    line: (event: string, camera?: string, count = 1): Promise<Line> =>
      vi.waitFor(
        () => {
          const found = lines.filter(
            line => line.event === event && (camera === undefined || line.camera === camera),
          )
          if (found.length < count) throw new Error(`${count} times "${event}" was expected:\n${output}`)
          return found[count - 1]!
        },
        { timeout: 90_000, interval: 200 },
      ),
    kill(): Promise<number | null> {
      child.kill('SIGKILL')
      return exited
    },
    stop(): Promise<number | null> {
      child.kill('SIGTERM')
      return exited
    },
  }
}
