/** Enrolment of dropped folders of people: the plan, a pause, failures that are tried again, and many files. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { dropFiles } from './actions.ts'
import { consoleTests, freshOwner, samplePath, visit } from './visitor.ts'

consoleTests('folders that are dropped', () => {
  it('are shown before anything is sent, become persons, pause, and failures are tried again', async () => {
    const staff = join(await temporaryFolder(), 'staff')
    const files = { 'Ann/1.jpg': 2, 'Ben/1.jpg': 4, 'Ben/old/2.jpg': 5, 'Cleo/1.jpg': 6 } as const
    for (const [path, number] of Object.entries(files)) {
      await mkdir(join(staff, path, '..'), { recursive: true })
      await copyFile(samplePath(number), join(staff, path))
    }
    await writeFile(join(staff, 'Ann', 'notes.txt'), 'Ann')
    await writeFile(join(staff, 'Cleo', '2.jpg'), 'no photo')
    const { token, api } = freshOwner()
    const { page, trouble } = await visit({ token, hash: '#/galleries/default' })
    let posts = 0
    await page.route('**/v1/face', async route => {
      posts++
      if (posts === 1) await page.getByRole('button', { name: 'Pause' }).click()
      await (posts === 2 ? route.fulfill({ status: 429, json: {} }) : route.continue())
    })
    const zone = page.getByRole('region', { name: 'Enrol faces' })
    await dropFiles(zone, [staff])
    const plan = page.getByRole('region', { name: 'What will be enrolled' })
    await plan.getByRole('heading', { name: '3 people, 4 photos' }).waitFor()
    const people = plan.getByRole('list', { name: 'People' }).getByRole('listitem')
    expect(await people.allInnerTexts()).toEqual(['Ann 1 photo', 'Ben 1 photo', 'Cleo 2 photos'])
    await plan.getByText('2 files skipped').click()
    await plan.getByText('staff/Ann/notes.txt notes.txt is not a JPEG, PNG or WEBP photo.').waitFor()
    await plan.getByText('staff/Ben/old/2.jpg It is not in the folder of a person').waitFor()
    expect(posts).toBe(0)
    await plan.getByRole('button', { name: 'Enrol 4 photos' }).click()
    await page.getByText('Paused.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('4 of 4 photos, 3 faces enrolled').waitFor()
    await zone.getByText('staff/Cleo/2.jpg The photo is not a JPEG, PNG or WEBP image.').waitFor()
    await zone.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 of 1 photos, 0 faces enrolled').waitFor()
    const persons = (await api('GET', '/v1/persons')).body.results as { meta: string }[]
    expect(persons.map(({ meta }) => meta).sort()).toEqual(['Ann', 'Ben', 'Cleo'])
    expect(trouble.filter(text => !/status of (400|429)/.test(text))).toEqual([])
  })

  it('may have thousands of files: a part of the list is on the page', async () => {
    const folder = await temporaryFolder()
    await Promise.all(
      Array.from({ length: 3_000 }, async (_, i) => {
        await mkdir(join(folder, `Person ${i % 500}`), { recursive: true })
        await writeFile(join(folder, `Person ${i % 500}`, `${i}.jpg`), '')
      }),
    )
    const { page } = await visit({ token: freshOwner().token, hash: '#/galleries/default' })
    await dropFiles(page.getByRole('region', { name: 'Enrol faces' }), [folder])
    await page.getByRole('heading', { name: /^500 people, 3.000 photos$/ }).waitFor()
    await page.getByText('and 300 more').waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(300)
  })
})
