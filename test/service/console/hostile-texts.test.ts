/** Texts that would execute a script if a page took them for HTML, JavaScript, CSS or an address: the console shows them as text. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { consoleTests, enrol, freshOwner, SOON, samplePath, visit } from './visitor.ts'

const MARK = 'window.executed=1'

const ELEMENTS = [
  ['script', '', MARK],
  ['SCRIPT', ' src=data:text/javascript,MARK', ''],
  ['img', ' src=x onerror=MARK', ''],
  ['img', ' src=x onerror="MARK"', ''],
  ["img'", ' src=x onerror=MARK', ''],
  ['svg', ' onload=MARK', ''],
  ['svg/onload=MARK', '', ''],
  ['svg', '', '<script>MARK</script>'],
  ['svg', '', '<animate onbegin=MARK attributeName=x dur=1s>'],
  ['math', '', '<mtext><img src=x onerror=MARK>'],
  ['body', ' onload=MARK', ''],
  ['iframe', ' srcdoc="<script>parent.MARK</script>"', ''],
  ['iframe', ' src=javascript:MARK', ''],
  ['object', ' data=javascript:MARK', ''],
  ['embed', ' src=javascript:MARK', ''],
  ['a', ' href=javascript:MARK', 'click'],
  ['form', ' action=javascript:MARK', '<input type=submit>'],
  ['button', ' formaction=javascript:MARK', 'click'],
  ['input', ' autofocus onfocus=MARK', ''],
  ['video', ' onerror=MARK', '<source>'],
  ['audio', ' src=x onerror=MARK', ''],
  ['details', ' open ontoggle=MARK', 'text'],
  ['marquee', ' onstart=MARK', ''],
  ['style', '', '@import "javascript:MARK"'],
  ['style', ' onload=MARK', ''],
  ['link', ' rel=stylesheet href=javascript:MARK', ''],
  ['meta', ' http-equiv=refresh content="0;javascript:MARK"', ''],
  ['base', ' href=javascript:MARK//', ''],
  ['template', '', '<img src=x onerror=MARK>'],
  ['noscript', '', '</noscript><img src=x onerror=MARK>'],
] as const

/** Ways out of the place in which a text stands. */
const ESCAPES = ['', '">', "'>", '</p></li></ul>', '-->', ']]>', '</title></style></textarea>']

const OTHERS = [
  `javascript:${MARK}`,
  `JaVaScRiPt:${MARK}`,
  `data:text/html,<script>${MARK}</script>`,
  `" onmouseover="${MARK}`,
  `' autofocus onfocus='${MARK}`,
  `\${${MARK}}`,
  `{{constructor.constructor('${MARK}')()}}`,
  `'-${MARK}-'`,
  `\\';${MARK}//`,
  `</script><script>${MARK}</script>`,
  `&lt;script&gt;${MARK}&lt;/script&gt;`,
  `\u003cimg src=x onerror=${MARK}\u003e`,
  '__proto__',
  'constructor',
  `{"__html":"<img src=x onerror=${MARK}>"}`,
  '\u202egpj.exe',
]

/** Each unlike the others. */
const CORPUS: readonly string[] = [
  ...ELEMENTS.map(([name, attributes, content], i) => {
    const before = ESCAPES[i % ESCAPES.length]
    return `${before}<${name}${attributes}>${content}</${name}>`.replaceAll('MARK', MARK)
  }),
  ...OTHERS,
]

/** Some texts of each kind: for pages that show one text at a time. */
const KINDS = CORPUS.filter((_, i) => i % 3 === 0)

/** The corpus in parts of this length. */
const chunks = (length: number): string[][] =>
  Array.from({ length: Math.ceil(CORPUS.length / length) }, (_, i) =>
    CORPUS.slice(i * length, (i + 1) * length),
  )

const isExecuted = (page: Page): Promise<boolean> => page.evaluate('"executed" in window')

/** Texts of all elements, as they are in the document. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll(all => all.map(one => one.textContent))

/** Opens a page with tiles, and waits until they show these texts. */
async function showTiles(page: Page, hash: string, texts: string[]): Promise<void> {
  await page.evaluate(`location.hash = '#/compare'`)
  await page.evaluate(`location.hash = '${hash}'`)
  await expect
    .poll(() => textsOf(page, ':is(.tile-meta, .tile .who strong)'), SOON)
    .toEqual(expect.arrayContaining(texts))
  expect(await isExecuted(page)).toBe(false)
}

consoleTests('hostile texts', () => {
  it('execute nothing as metas and persons of faces and events, nor as metas of persons', async () => {
    const { token, api } = freshOwner()
    const cam_id = (await api('POST', '/v1/camera', {})).body.id
    const faces: { id: number }[] = []
    for (const photo of [3, 4, 6, 3, 4, 6] as const)
      faces.push(...(await enrol(api, photo, { mf_selector: 'all', cam_id })))
    const { page, trouble } = await visit({ token, viewport: { width: 1280, height: 1600 } })
    for (const metas of chunks(faces.length)) {
      for (const [i, meta] of metas.entries()) {
        const change = { meta, person_id: meta.slice(0, 60) || 'x' }
        expect(await api('PUT', `/v1/face/id/${faces[i]!.id}`, change)).toMatchObject({ status: 200 })
      }
      await api('PUT', `/v1/camera/${cam_id}`, { meta: metas[0] })
      await showTiles(page, '#/galleries/default', metas)
      await showTiles(page, '#/events', metas)
      await page.locator('.tile.event').last().click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      await page.keyboard.press('Escape')
      expect(await isExecuted(page)).toBe(false)
    }
    await page.evaluate(`location.hash = '#/try'`)
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.locator('.candidate').first().waitFor({ state: 'attached' })
    expect(await isExecuted(page)).toBe(false)
    for (const [i, { id }] of faces.entries()) await api('PUT', `/v1/face/id/${id}`, { person_id: i + 1 })
    for (const metas of chunks(faces.length)) {
      for (const [i, meta] of metas.entries()) await api('PUT', `/v1/person/id/${i + 1}`, { meta })
      await showTiles(page, '#/persons', metas)
      for (const meta of metas.filter(text => KINDS.includes(text))) {
        await page.evaluate(`location.hash = '#/persons/${metas.indexOf(meta) + 1}'`)
        await expect.poll(() => page.locator('h1').textContent(), SOON).toBe(meta)
        await page.getByRole('button', { name: 'Delete the person' }).click()
        expect(await page.getByRole('dialog').locator('h2').textContent()).toContain(meta)
        expect(await isExecuted(page)).toBe(false)
      }
    }
    expect(trouble.filter(text => !text.includes('status of 400'))).toEqual([])
  }, 240_000)

  it('execute nothing as names and addresses of cameras, and as filters in the address', async () => {
    const { token, api } = freshOwner()
    const texts = CORPUS.filter(text => text !== '')
    for (const text of texts)
      expect(await api('POST', '/v1/camera', { meta: text, url: text })).toMatchObject({ status: 201 })
    const { page, trouble } = await visit({ token, hash: '#/cameras' })
    await page
      .locator('.camera-card')
      .nth(texts.length - 1)
      .waitFor()
    expect(await textsOf(page, '.camera-card h2')).toEqual(texts)
    for (const link of (await page.locator('.camera-card a').all()).slice(0, 10)) {
      await link.click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      expect(texts).toContain(await page.getByLabel('Name').inputValue())
      await page.goBack()
      await page.locator('.camera-card').first().waitFor()
    }
    await page.evaluate(`location.hash = '#/galleries/default'`)
    const options = page.getByLabel('Camera').locator('option')
    await expect.poll(() => options.count(), SOON).toBe(texts.length + 1)
    const shown = await options.evaluateAll(all => all.map(one => one.textContent))
    expect(shown).toEqual(expect.arrayContaining(texts))
    for (const text of KINDS) {
      const fields = { meta: text, person_id: text, cam_id: text, start: text, end: text, friend: text }
      await page.evaluate(`location.hash = '#/galleries/default?${new URLSearchParams(fields)}'`)
      await expect.poll(() => page.getByLabel('Filter by name').inputValue(), SOON).toBe(text)
      await expect.poll(() => page.getByLabel('Camera').inputValue(), SOON).toBe(text)
    }
    expect(await isExecuted(page)).toBe(false)
    expect(trouble.filter(text => !text.includes('status of 400'))).toEqual([])
  })

  it('execute nothing as names of tokens', async () => {
    const { token, api } = freshOwner()
    const names = CORPUS.map(text => text.trim()).filter(text => text !== '' && text.length <= 255)
    for (const name of names)
      expect(await api('POST', '/v1/tokens', { scope: 'read', name })).toMatchObject({ status: 201 })
    const { page, trouble } = await visit({ token, hash: '#/service/tokens' })
    await page.locator('tbody tr').nth(names.length).waitFor()
    expect(await textsOf(page, 'tbody .row-name')).toEqual(expect.arrayContaining(names))
    expect(await isExecuted(page)).toBe(false)
    expect(trouble).toEqual([])
  })

  it('execute nothing as names of galleries and files', async () => {
    const { page, trouble } = await visit({ token: freshOwner().token })
    for (const text of KINDS) {
      await page.evaluate(`location.hash = '#/galleries/' + ${JSON.stringify(encodeURIComponent(text))}`)
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Who is this?' }).waitFor()
      expect(await page.locator('h1').textContent()).toBe(text)
    }
    expect(await isExecuted(page)).toBe(false)
    await page.evaluate(`location.hash = '#/try'`)
    const input = page.locator('input[type=file]')
    for (const text of KINDS) {
      const name = text.replaceAll('/', '_')
      await input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('hello') })
      await page.getByRole('alert').filter({ hasText: 'is not a JPEG' }).waitFor()
    }
    expect(await isExecuted(page)).toBe(false)
    expect(trouble.filter(text => !/status of (?:400|404)/.test(text))).toEqual([])
  })
})
