/** The page Compare. */
import { inject } from 'vitest'
import { consoleTests, headingIn, samplePath, visit, waitForText } from './visitor.ts'

consoleTests('the page Compare', () => {
  it('shows every pair of faces, the best first, and says whether it is one person', async () => {
    const page = await visit({ token: inject('token'), hash: '#/compare' })
    const inputs = page.locator('input[type=file]')
    await inputs.nth(0).setInputFiles(samplePath(1))
    await inputs.nth(1).setInputFiles(samplePath(3))
    await headingIn(page, '9 pairs').waitFor()
    const confidences = (await page.locator('.pair .value').allInnerTexts()).map(
      text => text.match(/\d[.,]\d\d/)?.[0],
    )
    expect(confidences).toEqual(confidences.toSorted().toReversed())
    const best = await page.locator('.pair').first().innerText()
    expect(best).toContain('Face 1 and face 2')
    expect(best).toMatch(/\((?:medium|strict)\)/)
    expect(await page.locator('.face-box[aria-pressed=true]').count()).toBe(2)
    const verdicts = await page.locator('.pair strong:not(.value)').allInnerTexts()
    expect(verdicts[0]).toMatch(/^(The|Probably the) same person$/)
    expect(verdicts.slice(2)).toEqual(Array(7).fill('Different people'))
    // The third pair is chosen by the keyboard.
    await page.locator('.pair-name').nth(2).focus()
    expect(await page.locator('.pair.selected').innerText()).toContain(
      await page.locator('.pair-name').nth(2).innerText(),
    )
    expect(await page.locator('.face-box[aria-pressed=true]').count()).toBe(2)
  })

  it('names the photo without a face', async () => {
    const page = await visit({ token: inject('token'), hash: '#/compare', trouble: /status of 400/ })
    const inputs = page.locator('input[type=file]')
    await inputs.nth(0).setInputFiles(samplePath(1))
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    )
    await inputs.nth(1).setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: pixel })
    await waitForText(page, 'Second photo: no face was found.')
  })
})
