/** Tasks of an ordinary day without a mouse, each from the first page of a browser that is signed in. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { clientOf, type Send } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { buttonIn, consoleTests, enrol, linkIn, samplePath, visit, waitForText } from '../visitor.ts'
import { ActionCounter, press } from './actions.ts'

const DAY_MS = 86_400_000

consoleTests('a colleague', () => {
  let service: Service
  let api: Send
  beforeAll(async () => {
    const env = { MIEN_PERSON_IDENTIFY: 'true', MIEN_PERSON_IDENTIFY_GLOBAL: 'true', MIEN_GAE: 'true' }
    service = await startService({ env })
    api = clientOf(service.edge, service.token)
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    await service.remove()
  })

  const addCamera = async (meta: string): Promise<string> =>
    (await api('POST', '/v1/camera', { meta })).body.id

  /** Opens the console, and does the task. Opening counts. */
  async function doTask(most: number, task: (page: Page, act: ActionCounter['act']) => Promise<void>) {
    const page = await visit({ edge: service.edge, token: service.token, timezoneId: 'UTC' })
    const counter = new ActionCounter()
    await counter.act(page.goto(`${service.edge}/`))
    await task(page, counter.act)
    expect(counter.count).toBeLessThanOrEqual(most)
  }

  it('finds a face under a wrong name, and corrects it, in 8 actions', async () => {
    await api('POST', '/v1/galleries/staff')
    const fields = { galleries: 'staff', mf_selector: 'biggest' }
    await enrol(api, 3, { ...fields, person: 'Ada Stone' })
    await enrol(api, 3, { ...fields, person: 'Ada Stone' })
    await enrol(api, 4, { ...fields, person: 'Bea Ortiz' })
    const [wrong] = await enrol(api, 5, { ...fields, person: 'Ada Stone' })
    await doTask(8, async (page, act) => {
      await act(press(linkIn(page, 'Galleries')))
      await act(press(linkIn(page, 'staff')))
      await act(press(linkIn(page, 'Check the gallery')))
      const finding = page.getByRole('listitem', { name: 'Not like the other photos of this person' })
      await act(press(buttonIn(finding, 'Photo in question').first()))
      const dialog = page.getByRole('dialog')
      await act(dialog.getByLabel('This is …').fill('bea'))
      await act(press(buttonIn(dialog, /^Bea Ortiz/)))
      await waitForText(dialog, 'Saved.')
      await linkIn(dialog, 'Bea Ortiz').waitFor()
    })
    expect((await api('GET', `/v1/face/id/${wrong!.id}`)).body.person_id).toBe(2)
  })

  it('makes a guest a person with two photos, in 7 actions', async () => {
    await doTask(7, async (page, act) => {
      await act(page.getByLabel('Choose a photo').setInputFiles(samplePath(2)))
      await act(press(buttonIn(page, 'This is …').first()))
      const dialog = page.getByRole('dialog')
      await act(dialog.getByLabel('This is …').fill('Gus Guest'))
      await act(press(buttonIn(dialog, 'New person: Gus Guest')))
      await act(press(linkIn(dialog, 'Gus Guest')))
      await act(page.getByLabel('Add photos').setInputFiles(samplePath(6)))
      await page.getByText('2 faces', { exact: true }).first().waitFor()
    })
  })

  it('saves the events of a camera last night as evidence, in 6 actions', async () => {
    const cam_id = await addCamera('Gate')
    const [yesterday, today] = [Date.now() - DAY_MS, Date.now()].map(time =>
      new Date(time).toISOString().slice(0, 10),
    )
    const [inside, outside] = [
      (await enrol(api, 1, { cam_id, mf_selector: 'biggest', timestamp: `${yesterday}T23:30:00` }))[0]!,
      (await enrol(api, 1, { cam_id, mf_selector: 'biggest', timestamp: `${yesterday}T12:00:00` }))[0]!,
    ]
    await doTask(6, async (page, act) => {
      await act(press(linkIn(page, 'Events')))
      await act(page.getByLabel('Camera').press('ArrowDown'))
      await act(page.getByLabel('From').fill(`${yesterday}T20:00`))
      await act(page.getByLabel('To', { exact: true }).fill(`${today}T06:00`))
      const download = page.waitForEvent('download')
      await act(press(buttonIn(page, 'Save as evidence')))
      const zip = await readFile(await (await download).path(), 'latin1')
      expect([inside, outside].map(({ id }) => zip.includes(`${id}/`))).toEqual([true, false])
    })
  })

  it('silences a neighbour for good, in 4 actions', async () => {
    await enrol(api, 4, { cam_id: await addCamera('Door'), mf_selector: 'all' })
    await doTask(4, async (page, act) => {
      await act(press(linkIn(page, 'Events')))
      await act(press(buttonIn(page, /^Unknown person \d+, Door, /).first()))
      await act(press(page.getByRole('dialog').getByLabel('Ignore')))
      await page.getByRole('checkbox', { name: /^Ignore/, checked: true }).waitFor()
      await page.keyboard.press('Escape')
      await press(buttonIn(page, '1 of people to ignore'))
      await buttonIn(page, 'Hide events of people to ignore').waitFor()
      await buttonIn(page, /^Unknown person \d+, Door, /)
        .first()
        .waitFor()
    })
  })
})
