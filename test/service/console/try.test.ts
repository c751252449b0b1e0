/** The page Try: detection, identification, and the steps that it offers for an empty service. */
import {
  buttonIn,
  clickButton,
  consoleTests,
  enrol,
  freshOwner,
  headingIn,
  it,
  samplePath,
  visit,
  waitForText,
} from './visitor.ts'

consoleTests('the page "Who is this?"', () => {
  it('draws a box at each face and shows its quality, age, gender and emotions', async () => {
    const page = await visit({ token: freshOwner().token })
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    await headingIn(page, '3 faces').waitFor()
    const box = page.getByRole('button', { name: 'Face 1 Unknown', exact: true })
    const photo = await page.getByRole('img', { name: 'Photo sample1.jpg' }).boundingBox()
    const place = await box.boundingBox()
    // The first face is at 1467, 227 on the photo of 1920 pixels.
    expect((place!.x - photo!.x) / photo!.width).toBeCloseTo(1467 / 1920, 2)
    await box.click()
    await expect.poll(() => box.getAttribute('aria-pressed')).toBe('true')
    const cards = page.locator('.face-card')
    expect(await cards.count()).toBe(3)
    for (const card of await cards.all()) {
      expect(await card.innerText()).not.toContain('Quality')
      await card.getByText('Details').click()
      expect(await card.innerText()).toMatch(/Quality\s+0[.,]\d\d\s+Liveness\s+[01][.,]\d\d/)
    }
    expect(await cards.first().innerText()).toMatch(/Age\s+\d+\s+Gender\s+(fe)?male\s+Emotions\s+\w+, \w+/)
    await page.getByText('No face of the gallery looks like this.').first().waitFor()
  })

  it('says who a face is in one line, also on its box, and folds the numbers and weak candidates', async ({
    token,
    api,
  }) => {
    await api('POST', '/v1/galleries/staff')
    await enrol(api, 3, { person: 'Ann Lee', mf_selector: 'biggest', galleries: 'staff' })
    await enrol(api, 4, { meta: 'Ben', galleries: 'staff' })
    const page = await visit({ token, viewport: { width: 390, height: 844 } })
    await page.locator('input[type=file]').setInputFiles(samplePath(3))
    await page.getByLabel('Identify in').selectOption('staff')
    const box = buttonIn(page, /^Face \d Ann Lee certain$/)
    expect(await box.innerText()).toMatch(/\d Ann Lee\s+certain$/)
    const card = page.locator('.face-card', {
      has: page.getByRole('img', { name: 'Enrolled face of Ann Lee' }),
    })
    expect(await card.locator('.face-head .who').innerText()).toMatch(/^Ann Lee\s+certain$/)
    expect(await card.innerText()).not.toMatch(/\d[.,]\d/)
    const portrait = card.getByRole('img', { name: 'Enrolled face of Ann Lee' })
    const width = () =>
      portrait.evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    await card.locator('summary').click()
    const lines = await card.locator('.candidate').allInnerTexts()
    expect(lines[0]).toMatch(/^Ann Lee\s+certain\s+Confidence 1[.,]00, Person 1$/)
    // Each person once.
    expect(new Set(lines.map(line => line.split('\n')[0])).size).toBe(lines.length)
  })

  it('names and enrols an unknown face by keys alone, and the search then finds it', async ({
    token,
    api,
  }) => {
    const page = await visit({ token })
    await page.locator('input[type=file]').setInputFiles(samplePath(2))
    await buttonIn(page, 'This is …').first().press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('This is …').fill('Ann Lee')
    // Before the choices are there.
    await page.keyboard.press('Enter')
    await buttonIn(dialog, 'Delete the face').waitFor()
    const [face] = (await api('GET', '/v1/faces')).body.results
    expect([face.meta, face.person_id]).toEqual(['Ann Lee', undefined])
    await page.keyboard.press('Escape')
    await buttonIn(page, /^Face \d Ann Lee certain$/).waitFor()
    await page.locator('body').press('/')
    await page.keyboard.type('lee ann')
    await page.getByRole('link', { name: 'Ann Lee', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: /^Ann Lee, enrolled/ }).waitFor()
  })

  it('shows the requests as code without the token', async ({ token }) => {
    const page = await visit({ token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('input[type=file]').setInputFiles(samplePath(1))
    const code = page.locator('.code', { hasText: 'Detection in code' })
    await code.locator('summary').click()
    for (const [language, part] of [
      ['curl', `-F 'photo=@"sample1.jpg"'`],
      [
        'TypeScript',
        `await mien.detect("sample1.jpg", { quality: true, liveness: true, age: true, gender: true, emotions: true })`,
      ],
      [
        'Python',
        `client.detect("sample1.jpg", quality=True, liveness=True, age=True, gender=True, emotions=True)`,
      ],
    ] as const) {
      await clickButton(code, language)
      const text = await code.locator('pre').innerText()
      expect(text).toContain(part)
      expect(text).toContain('MIEN_TOKEN')
      expect(text).not.toContain(token)
    }
    await clickButton(code, 'Copy')
    await buttonIn(code, 'Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('client.detect(')
  })

  it('names files that are no photos, and the reasons of the service', async () => {
    const page = await visit({ token: freshOwner().token, trouble: /status of 400/ })
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    expect(await page.getByRole('alert').innerText()).toBe('notes.txt is not a JPEG, PNG or WEBP photo.')
    await input.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') })
    await waitForText(page, 'The photo is not a JPEG, PNG or WEBP image.')
    await input.setInputFiles({ name: 'a.heic', mimeType: '', buffer: Buffer.from('no photo') })
    await waitForText(page, 'This browser cannot read HEIC photos.')
    await page.evaluate(`{
      const transfer = new DataTransfer()
      for (const [name, type] of [['b.pdf', 'application/pdf'], ['c.jpg', 'image/jpeg'], ['d.jpg', 'image/jpeg']])
        transfer.items.add(new File([new Uint8Array(9)], name, { type }))
      const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      document.querySelector('.drop-zone').dispatchEvent(drop)
    }`)
    await page.getByRole('img', { name: 'Photo c.jpg' }).waitFor()
    expect(await page.locator('.drop-zone').getByRole('alert').innerText()).toBe(
      'b.pdf is not a JPEG, PNG or WEBP photo. d.jpg was left out: choose one photo at a time.',
    )
  })
})

const TITLE = 'Three steps with sample photos'

consoleTests('a first visit', () => {
  it('tries a sample photo, enrols others, identifies a person on both, and deletes the samples', async ({
    token,
    api,
  }) => {
    const page = await visit({ token })
    const search = buttonIn(page, 'Search the gallery')
    await headingIn(page, TITLE).waitFor()
    expect(await search.isDisabled()).toBe(true)
    await clickButton(page, 'Find faces')
    await expect.poll(() => page.locator('.face-card').count()).toBe(3)
    expect((await api('GET', '/v1/faces')).body.results).toEqual([])
    await clickButton(page, 'Enrol the photos')
    await expect.poll(() => search.isDisabled()).toBe(false)
    const enrolled = (await api('GET', '/v1/faces/gallery/samples')).body.results.length
    expect(enrolled).toBeGreaterThanOrEqual(6)
    // The faces of the samples alone do not end the first visit.
    await page.reload()
    await search.click()
    expect(await page.getByLabel('Identify in').inputValue()).toBe('samples')
    await buttonIn(page, 'Face 1 Sample photo certain').waitFor()
    expect(await page.locator('.face-head .certain').count()).toBe(1)
    await clickButton(page, 'Delete them')
    expect((await api('GET', '/v1/faces/gallery/samples')).body.results).toHaveLength(enrolled)
    await clickButton(page.getByRole('dialog'), 'Delete gallery and faces')
    await expect.poll(async () => (await api('GET', '/v1/faces')).body.results.length).toBe(0)
    expect((await api('GET', '/v1/galleries')).body.results).toEqual(['default'])
    await expect.poll(() => search.isDisabled()).toBe(true)
  })
})
