/** Texts that would execute a script if a page took them for HTML, JavaScript, CSS or an address: the console shows them as text. */
import type { Page } from 'playwright-core'
import { buttonIn, clickButton, consoleTests, enrol, enrolMany, it, samplePath, visit } from './visitor.ts'

const MARK = 'window.executed=1'

/** Each text has another element or attribute, and another way out of the place in which it stands. */
const CORPUS = [
  `<script>${MARK}</script>`,
  `"><img src=x onerror=${MARK}>`,
  `'><svg/onload=${MARK}>`,
  `</p></li></ul><iframe srcdoc="<script>parent.${MARK}</script>">`,
  `--><a href=javascript:${MARK}>click</a>`,
  `]]><form action=javascript:${MARK}><input type=submit></form>`,
  `</title></style></textarea><details open ontoggle=${MARK}>text</details>`,
  `<style>@import "javascript:${MARK}"</style>`,
  `<base href=javascript:${MARK}//>`,
  `JaVaScRiPt:${MARK}`,
  `data:text/html,<script>${MARK}</script>`,
  `" onmouseover="${MARK}`,
  `' autofocus onfocus='${MARK}`,
  `\${${MARK}}`,
  `{{constructor.constructor('${MARK}')()}}`,
  `\\';${MARK}//`,
  `&lt;script&gt;${MARK}&lt;/script&gt;`,
  '__proto__',
  `{"__html":"<img src=x onerror=${MARK}>"}`,
  '\u202egpj.exe',
]

/** Some texts of each kind: for pages that show one text at a time. */
const KINDS = CORPUS.filter((_, i) => i % 3 === 0)

const isExecuted = (page: Page): Promise<boolean> => page.evaluate('"executed" in window')

/** Texts of all elements, as they are in the document. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll(all => all.map(one => one.textContent))

/** Opens a page with tiles, and waits until they show all texts. */
async function showTiles(page: Page, hash: string) {
  await page.evaluate(`location.hash = '#/compare'`)
  await page.evaluate(`location.hash = '${hash}'`)
  await expect
    .poll(() => textsOf(page, ':is(.tile-meta, .tile .who strong)'))
    .toEqual(expect.arrayContaining(CORPUS))
  expect(await isExecuted(page)).toBe(false)
}

consoleTests('hostile texts', () => {
  it('execute nothing as metas and persons of faces and events, nor as metas of persons', async ({
    token,
    api,
  }) => {
    const cam_id = (await api('POST', '/v1/camera', {})).body.id
    const seen = await enrol(api, 3, { mf_selector: 'all', cam_id })
    const faces = [...seen, ...(await enrolMany(api, CORPUS.length - seen.length, { cam_id }))]
    const page = await visit({ token, viewport: { width: 1280, height: 1600 }, trouble: /status of 400/ })
    for (const [i, meta] of CORPUS.entries()) {
      const change = { meta, person_id: meta.slice(0, 60) }
      await expect(api('PUT', `/v1/face/id/${faces[i]!.id}`, change)).toAnswer(200)
    }
    await api('PUT', `/v1/camera/${cam_id}`, { meta: CORPUS[0] })
    await showTiles(page, '#/galleries/default')
    await showTiles(page, '#/events')
    await page.locator('.tile.event').last().click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate(`location.hash = '#/try'`)
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.locator('.candidate').first().waitFor({ state: 'attached' })
    expect(await isExecuted(page)).toBe(false)
    for (const [i, meta] of CORPUS.entries()) {
      await api('PUT', `/v1/face/id/${faces[i]!.id}`, { person_id: i + 1 })
      await api('PUT', `/v1/person/id/${i + 1}`, { meta })
    }
    await showTiles(page, '#/persons')
    for (const meta of KINDS) {
      await page.evaluate(`location.hash = '#/persons/${CORPUS.indexOf(meta) + 1}'`)
      await expect.poll(() => page.locator('h1').textContent()).toBe(meta)
      await clickButton(page, 'Delete the person')
      expect(await page.getByRole('dialog').locator('h2').textContent()).toContain(meta)
    }
    expect(await isExecuted(page)).toBe(false)
  })

  it('execute nothing as names and addresses of cameras, and as filters in the address', async ({
    token,
    api,
  }) => {
    for (const text of CORPUS)
      await expect(api('POST', '/v1/camera', { meta: text, url: text })).toAnswer(201)
    const page = await visit({ token, hash: '#/cameras', trouble: /status of 400/ })
    await page
      .locator('.camera-card')
      .nth(CORPUS.length - 1)
      .waitFor()
    expect(await textsOf(page, '.camera-card h2')).toEqual(CORPUS)
    for (const link of (await page.locator('.camera-card a').all()).slice(0, 4)) {
      await link.click()
      await buttonIn(page, 'Save').waitFor()
      expect(CORPUS).toContain(await page.getByLabel('Name').inputValue())
      await page.goBack()
      await page.locator('.camera-card').first().waitFor()
    }
    await page.evaluate(`location.hash = '#/galleries/default'`)
    const options = page.getByLabel('Camera').locator('option')
    await expect.poll(() => options.count()).toBe(CORPUS.length + 1)
    const shown = await options.evaluateAll(all => all.map(one => one.textContent))
    expect(shown).toEqual(expect.arrayContaining(CORPUS))
    for (const text of KINDS) {
      const fields = { meta: text, person_id: text, cam_id: text, start: text, end: text, friend: text }
      await page.evaluate(`location.hash = '#/galleries/default?${new URLSearchParams(fields)}'`)
      await expect.poll(() => page.getByLabel('Filter by name').inputValue()).toBe(text)
      await expect.poll(() => page.getByLabel('Camera').inputValue()).toBe(text)
    }
    expect(await isExecuted(page)).toBe(false)
  })
})
