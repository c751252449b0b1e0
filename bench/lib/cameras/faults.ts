/** The faults of a site with a camera. Each kills one part; the part comes again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf } from '../../harness/client.ts'
import { descendantOf, descendantsOf } from '../../harness/processes.ts'
import type { Service } from '../../harness/service.ts'
import type { Site } from './site.ts'

/** How long a part is away that nothing starts again by itself, in milliseconds. */
const AWAY_MS = 2_000

/** How long core runs between two kills: `mien start` gives a core up that dies three times within 10 seconds of its start. */
const CORE_LIFETIME_MS = 11_000

export const FAULTS: Readonly<Record<string, (site: Site) => Promise<void>>> = {
  async stream(site) {
    site.cutStream()
    await sleep(AWAY_MS)
    await site.openStream()
  },
  async ffmpeg(site) {
    for (;;) {
      const [reader] = await descendantsOf(site.watcher().pid, 'image2pipe')
      if (reader !== undefined) return void process.kill(reader, 'SIGKILL')
      await sleep(100)
    }
  },
  watcher: site => site.replaceWatcher(),
  async core({ service }) {
    process.kill(await descendantOf(service.pid, 'core/server.ts'), 'SIGKILL')
    while (!(await isServing(service))) await sleep(100)
    await sleep(CORE_LIFETIME_MS)
  },
  async broker({ broker }) {
    await broker.kill()
    await sleep(AWAY_MS)
    await broker.start()
  },
  async receiver({ receiver }) {
    receiver.close()
    await sleep(AWAY_MS)
    await receiver.open()
  },
}

const isServing = async ({ edge, token }: Service): Promise<boolean> =>
  (await clientOf(edge, token)('GET', '/v1/cameras')).status === 200
