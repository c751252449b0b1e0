/** Measures the first paint of lists of the console, with few and with many persons and faces. */

import type { Page } from 'playwright-core'
import { embedderLabel } from '#core/embedding/label.ts'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { insertPersons } from '#core/metadata/persons/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { openStores } from '#core/stores.ts'
import { chromiumPath, startChromium } from '#test/support/chromium.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { newToken } from '#test/support/tokens.ts'
import { benchmark, need, progress } from '../benchmark.ts'
import { addRows } from '../lib/vectors/fill.ts'
import { syntheticFaces } from '../lib/vectors/synthetic.ts'
import type { Rig } from '../rig.ts'
import { fixed, minimum } from '../statistics.ts'

const LISTS = ['persons', 'galleries/default', 'events']

const FACES_PER_PERSON = 10

/** Rows per statement. */
const AT_ONCE = 500

const CAMERA = 'c'.repeat(32)

export default benchmark({
  description: 'console: first paint of lists with few and with many persons',
  options: { few: 100, many: 10_000, loads: 20 },
  async run({ few, many, loads }, rig) {
    need(chromiumPath, 'Chromium')
    const browser = await startChromium()
    rig.defer(() => browser.close())
    const sizes: { page: Page; ms: number[][] }[] = []
    for (const persons of [few, many]) {
      const { edge, token } = await filledService(rig, persons)
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
      await page.addInitScript(token => sessionStorage.setItem('mien.token', token), token)
      await page.goto(`${edge}/#/compare`)
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      sizes.push({ page, ms: LISTS.map(() => []) })
    }
    for (let load = 0; load < loads; load++)
      for (const [i, list] of LISTS.entries())
        for (const { page, ms } of sizes) ms[i]!.push(await page.evaluate(firstPaintOf, list))
    const firstPaint = LISTS.map((list, i) => {
      const [fewMs, manyMs] = sizes.map(({ ms }) => minimum(ms[i]!))
      return { list, fewMs: fixed(fewMs!), manyMs: fixed(manyMs!), ratio: fixed(manyMs! / fewMs!, 2) }
    })
    return { firstPaint }
  },
})

/** Milliseconds from the way to a list, on a page of the console, until its first tile is painted. Runs in the browser. */
async function firstPaintOf(list: string) {
  const until = async (isShown: boolean) => {
    do await new Promise(requestAnimationFrame)
    while ((document.querySelector('.place .tile') !== null) !== isShown)
  }
  location.hash = '#/compare'
  await until(false)
  // Requests of the previous page come to their end.
  await new Promise(done => setTimeout(done, 500))
  const began = performance.now()
  location.hash = `#/${list}`
  await until(true)
  return performance.now() - began
}

/** A service whose owner has so many persons. All faces are events. */
async function filledService(rig: Rig, persons: number): Promise<{ edge: string; token: string }> {
  const data = await rig.folder()
  const { database, vectors, close } = await openStores(data, { embedder: embedderLabel() })
  await ownerNamed(database, { id: OWNER, name: OWNER, created: 0 })
  const count = persons * FACES_PER_PERSON
  const people = times(persons, i => ({
    owner: OWNER,
    id: i + 1,
    meta: `Person ${i + 1}`,
  }))
  const stored = times(count, i => ({
    id: i + 1,
    owner: OWNER,
    personId: (i % persons) + 1,
    timestamp: 1e15 + 1e9 * i,
    meta: people[i % persons]!.meta,
    photo: 'photo.jpg',
    photoHash: `photo ${i}`,
    x1: 0,
    y1: 0,
    x2: 90,
    y2: 90,
    camera: CAMERA,
  }))
  progress(`storing ${count} faces`)
  for (let i = 0; i < persons; i += AT_ONCE) await insertPersons(database, people.slice(i, i + AT_ONCE))
  for (let i = 0; i < count; i += AT_ONCE) await database.insert(faces).values(stored.slice(i, i + AT_ONCE))
  let id = 1
  for (const rows of syntheticFaces(128, count).rows()) {
    await addRows(vectors, `${OWNER}_default`, id, rows, 128)
    id += rows.length / 128
  }
  await close()
  const { edge } = await rig.service({ data })
  return { edge, token: newToken(data, OWNER) }
}
