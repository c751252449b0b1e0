/** `mien watch` and `mien mqtt` as processes of their own, their logs, and owners with cameras. */
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import type { Service } from '#test/support/service.ts'
import { newToken } from '#test/support/tokens.ts'
import { startMien } from '#test/support/typed.ts'

export interface Line {
  event: string
  camera?: string
  [fact: string]: unknown
}

/** An event of the history. */
export interface Visit {
  x1: number
  x2: number
}

let owners = 0

/** A new owner with a token of this scope, at the shared service or another one. */
export function newOwner(
  scope: 'camera' | 'read' = 'camera',
  { edge, data }: Pick<Service, 'edge' | 'data'> = { edge: inject('edge'), data: inject('data') },
) {
  const name = `cameras ${process.pid} ${owners++}`
  const admin = newToken(data, name)
  const send = clientOf(edge, admin)
  const expected = async (status: number, ...request: Parameters<typeof send>) => {
    const answer = await send(...request)
    if (answer.status !== status) throw new Error(`${request[1]} answers ${answer.status}`)
    return answer.body
  }
  return {
    send,
    edge,
    admin,
    token: newToken(data, name, { scope }),
    camera: async (fields: object): Promise<string> => (await expected(201, 'POST', '/v1/camera', fields)).id,
    /** Posts a face of always the same person. */
    async post(camera: string): Promise<{ id: number; person_id?: number }> {
      const photo = form({ photo: await sample(1), cam_id: camera })
      return (await expected(200, 'POST', '/v1/face', photo)).results[0]
    },
    state: async (camera: string) => (await send('GET', `/v1/cameras/${camera}/state`)).body,
    visits: async (camera: string): Promise<Visit[]> =>
      (await send('POST', '/v1/history/search', { cam_ids: [camera] })).body.results,
    // biome-ignore lint/suspicious/noExplicitAny: faces of the API
    faces: async (): Promise<any[]> => (await send('GET', '/v1/faces')).body.results,
  }
}

/** Starts `mien mqtt`. It ends with the test. */
export const startBridge = (
  { edge, token }: { edge: string; token: string },
  broker: string,
  args: readonly string[] = [],
) => started(['mqtt', '--broker', broker, ...args], { MIEN_URL: edge, MIEN_TOKEN: token })

/** Starts `mien watch` with a token of scope `camera`. It ends with the test. */
export const startWatch = (token: string, args: readonly string[], edge = inject('edge')) =>
  started(['watch', ...args], { MIEN_URL: edge, MIEN_TOKEN: token })

/** Expects that each posted event is stored, none under two ids, and each snapshot and clip whole. Returns the faces. */
export async function expectWhole(
  { faces }: Pick<ReturnType<typeof newOwner>, 'faces'>,
  watchers: readonly Pick<ReturnType<typeof startWatch>, 'lines'>[],
) {
  const found = await faces()
  const ids = found.map(({ id }) => id)
  const posted = watchers.flatMap(({ lines }) => lines('visit posted').map(({ face }) => face))
  expect(posted.filter(face => !ids.includes(face))).toEqual([])
  const tracks = found.map(({ detector_info }) => detector_info.track)
  expect(tracks.filter((track, i) => tracks.indexOf(track) !== i)).toEqual([])
  const fetched = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer())
  for (const { snapshot, clip } of found) {
    if (snapshot) await sharp(await fetched(snapshot), { failOn: 'truncated' }).stats()
    if (!clip) continue
    const bytes = await fetched(clip)
    let end = 0
    while (end < bytes.length) end += bytes.readUInt32BE(end)
    expect(end).toBe(bytes.length)
  }
  return found
}

function started(args: readonly string[], env: Record<string, string>) {
  const { child, said, exited } = startMien(args, env)
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Line[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line)))
  const code = exited.then(end => end.code as number | null)
  const found = (event: string, camera?: string) =>
    lines.filter(line => line.event === event && (camera === undefined || line.camera === camera))
  return {
    pid: child.pid!,
    exited: code,
    output: said,
    /** The lines with this event. */
    lines: found,
    count: (event: string, camera?: string) => found(event, camera).length,
    /** Waits for the nth line with this event. */
    line: (event: string, camera?: string, count = 1): Promise<Line> =>
      vi.waitFor(
        () => {
          const line = found(event, camera)[count - 1]
          if (!line) throw new Error(`${count} times "${event}" was expected:\n${said()}`)
          return line
        },
        { timeout: 90_000, interval: 100 },
      ),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return code
    },
  }
}
