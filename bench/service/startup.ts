/** Measures the time from `npm start` to the first detected face, and from saving a source to its first answer under `npm run dev`. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmark } from '../benchmark.ts'
import { form, sample } from '../harness/client.ts'
import { type Development, startDevelopment, statusesUntil } from '../harness/development.ts'
import { ROOT, withRig } from '../rig.ts'
import { fixed, median, minimum, timed } from '../statistics.ts'

const LATER_STARTS = 3

/** Saved changes of each part. */
const ROUNDS = 5

/** A text of each part, and where it is seen. */
const CHANGES = [
  {
    ...{ part: 'edge', path: 'edge/app.ts', text: "status: 'ok" },
    url: ({ edge }: Development) => `${edge}/healthz`,
  },
  {
    ...{ part: 'core', path: 'core/http/readiness.ts', text: "status: 'up" },
    url: ({ core }: Development) => `${core}/healthz`,
  },
  {
    ...{ part: 'console', path: 'console/index.html', text: '<title>Mien' },
    url: ({ edge }: Development) => `${edge}/`,
  },
]

export default benchmark({
  description:
    'time from start to the first detect, with models to build and on later starts; with --reloads from saving a source to its answer',
  options: { reloads: false },
  async run({ reloads }) {
    if (reloads) return { reloadSeconds: await measureReloads() }
    for (const built of ['models/built', 'wasm/built', 'dist'])
      await rm(join(ROOT, built), { recursive: true, force: true })
    const firstSeconds = await timeToFirstDetect()
    const laterSeconds: number[] = []
    for (let i = 0; i < LATER_STARTS; i++) laterSeconds.push(await timeToFirstDetect())
    return { firstSeconds, laterSeconds }
  },
})

const timeToFirstDetect = async (): Promise<number> => {
  const photo = await sample(1)
  return withRig(async rig => {
    const ms = await timed(async () => {
      const { send } = await rig.service()
      const { status } = await send('POST', '/v0/detect', form({ photo }))
      if (status !== 200) throw new Error(`The first detect answered ${status}.`)
    })
    return fixed(ms / 1000, 2)
  })
}

async function measureReloads() {
  const development = await startDevelopment()
  const rows = []
  try {
    for (const { part, path, text, url } of CHANGES) {
      const seconds: number[] = []
      for (let round = 1; round <= ROUNDS; round++) {
        const mark = `-round-${round}`
        await development.change(path, round === 1 ? text : `${text}-round-${round - 1}`, `${text}${mark}`)
        seconds.push(fixed((await timed(() => statusesUntil(url(development), mark))) / 1000, 2))
      }
      rows.push({ part, minimum: minimum(seconds), median: median(seconds), maximum: Math.max(...seconds) })
    }
  } finally {
    await development.stop()
  }
  return rows
}
