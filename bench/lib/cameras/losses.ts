/** A watcher whose streams are lost again and again: its memory, dead children, and cameras that do not come again. Linux only. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed } from '../../benchmark.ts'
import { clientOf } from '../../harness/client.ts'
import { movingClip } from '../../harness/clips.ts'
import { memoryOf } from '../../harness/processes.ts'
import { startRtspServer } from '../../harness/rtsp-server.ts'
import type { Service } from '../../harness/service.ts'
import { startLogged } from './logged-command.ts'

/** Cameras that lose their streams together. */
const CAMERAS = 5

/** How long the streams go on between two losses, in milliseconds. Visits begin. */
const GOING_MS = 4_000

/** How long the cameras may take to come again. The longest pause of the watcher is 30 seconds. */
const PATIENCE_MS = 120_000

export interface Endurance {
  losses: number
  /** Megabytes of the watcher after the first tenth of the losses, and at the end. */
  megabytesFirst: number
  megabytesLast: number
  /** Children that have ended and were not waited for. */
  zombies: number
  /** Seconds until all cameras were open again, at most. */
  longestGap: number
}

export async function losses(service: Service, clip: string, count: number): Promise<Endurance> {
  const rounds = Math.ceil(count / CAMERAS)
  movingClip(clip, { seconds: 6, size: '640x480', sample: 3 })
  let server = await startRtspServer(clip)
  const port = Number(new URL(server.url).port)
  const send = clientOf(service.edge, service.token)
  const ids: string[] = []
  for (let i = 0; i < CAMERAS; i++)
    ids.push((await send('POST', '/v1/camera', { url: server.url, options: { absence: 1, fps: 1 } })).body.id)
  let opened = 0
  const address = { MIEN_URL: service.edge, MIEN_TOKEN: service.token }
  const watcher = startLogged(['watch'], address, ({ event }) => void (event === 'camera open' && opened++))
  const allOpen = async (times: number) => {
    for (const end = Date.now() + PATIENCE_MS; opened < times * CAMERAS; await sleep(100))
      if (Date.now() > end) throw new Error('A camera has not come again.')
  }
  const memory: number[] = []
  let longest = 0
  try {
    await allOpen(1)
    for (let round = 1; round <= rounds; round++) {
      await sleep(GOING_MS)
      server.close()
      const start = Date.now()
      server = await startRtspServer(clip, port)
      await allOpen(round + 1)
      longest = Math.max(longest, Date.now() - start)
      memory.push(await memoryOf(watcher.pid, 'VmRSS'))
    }
    return {
      ...{ losses: rounds * CAMERAS, megabytesFirst: fixed(memory[Math.floor(rounds / 10)]!, 0) },
      ...{ megabytesLast: fixed(memory.at(-1)!, 0), zombies: await zombiesOf(watcher.pid) },
      longestGap: fixed(longest / 1_000),
    }
  } finally {
    await watcher.stop('SIGTERM')
    server.close()
    for (const id of ids) await send('DELETE', `/v1/camera/${id}`)
  }
}

/** Number of children in the state Z. */
async function zombiesOf(parent: number): Promise<number> {
  let count = 0
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (/^State:\tZ/m.test(status) && new RegExp(`^PPid:\\t${parent}$`, 'm').test(status)) count++
  }
  return count
}
