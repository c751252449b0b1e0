/** A first task: from the link of `npm start` to ten enrolled people, a search, and a comparison with a visitor. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Box } from '#clients/typescript/src/index.ts'
import { clientOf, form, type Send, sample } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import {
  buttonIn,
  consoleTests,
  headingIn,
  linkIn,
  regionIn,
  samplePath,
  visit,
  waitForText,
} from '../visitor.ts'
import { ActionCounter, dropFiles, press } from './actions.ts'

const MOST_ACTIONS = 13

/** On sample3.jpg, sample4.jpg and sample6.jpg. */
const NAMES = [
  'Ada Stone',
  'Bea Ortiz',
  'Cleo Marsh',
  'Dana Okafor',
  'Eva Lindqvist',
  'Fay Abel',
  'Gül Demir',
  'Hana Blanc',
  'Ines Costa',
  'Jo Park',
]

/** A portrait from a sample photo: a face with half of its width around it. */
async function portrait(number: 1 | 3 | 4 | 6, { x1, y1, x2, y2 }: Box) {
  const margin = Math.round((x2 - x1) / 2)
  const [left, top] = [Math.max(0, x1 - margin), Math.max(0, y1 - margin)]
  const part = { left, top, width: x2 + margin - left, height: y2 + margin - top }
  return sharp(samplePath(number)).extract(part).jpeg().toBuffer()
}

/** A folder with a folder for each person, and a photo of a visitor. The visitor is the person with this name. */
async function photosOf(api: Send) {
  const folder = await temporaryFolder()
  const faces: { number: 3 | 4 | 6; face: Box }[] = []
  for (const number of [3, 4, 6] as const) {
    const { body } = await api('POST', '/v1/detect', form({ photo: await sample(number) }))
    faces.push(...body.faces.map((face: Box) => ({ number, face })))
  }
  for (const [i, name] of NAMES.entries()) {
    const { number, face } = faces[i]!
    await mkdir(join(folder, 'people', name), { recursive: true })
    await writeFile(join(folder, 'people', name, 'portrait.jpg'), await portrait(number, face))
  }
  const photos = { photo1: await sample(1), photo2: await sample(3), mf_selector: 'all', threshold: 'none' }
  const { results } = (await api('POST', '/v1/verify', form(photos))).body
  const [best] = results.sort((a: { confidence: number }, b: typeof a) => b.confidence - a.confidence)
  const name = NAMES[faces.findIndex(({ face }) => face.x1 === best.bbox2.x1)]!
  await writeFile(join(folder, 'visitor.jpg'), await portrait(1, best.bbox1))
  return { people: join(folder, 'people'), visitor: join(folder, 'visitor.jpg'), name }
}

consoleTests('a person who has just started the service', () => {
  it(`enrols ten people, finds one by name, and compares a visitor in ${MOST_ACTIONS} actions`, async () => {
    const service = await startService()
    onTestFinished(async () => {
      await service.stop()
      await service.remove()
    })
    const { people, visitor, name } = await photosOf(clientOf(service.edge, service.token))
    const link = (await readFile(join(service.data, 'sign-in-link'), 'utf8')).trim()
    const page = await visit({ edge: new URL(link).origin })
    const counter = new ActionCounter()
    const { act } = counter

    await act(page.goto(link))
    await act(press(buttonIn(page, 'Continue')))
    await act(press(linkIn(page, 'Galleries')))
    await act(press(linkIn(page, 'All faces')))
    await act(dropFiles(regionIn(page, 'Enrol faces'), [people]))
    await headingIn(page, '10 people, 10 photos').waitFor()
    await act(press(buttonIn(page, 'Enrol 10 photos')))
    await waitForText(page, '10 of 10 photos, 10 faces enrolled')

    await act(page.getByRole('searchbox', { name: 'Search' }).fill(name.slice(0, 3)))
    await act(press(linkIn(regionIn(page, 'Results of the search'), name)))
    await headingIn(page, name).waitFor()

    await act(press(linkIn(page, 'Compare')))
    const choose = (photo: string, file: string) =>
      regionIn(page, photo).getByLabel('Choose a photo').setInputFiles(file)
    await act(choose('First photo', join(people, name, 'portrait.jpg')))
    await act(choose('Second photo', visitor))
    await headingIn(page, '1 pair').waitFor()
    await waitForText(page, /\((strict|medium)\)/)

    expect(counter.count).toBeLessThanOrEqual(MOST_ACTIONS)
  })
})
