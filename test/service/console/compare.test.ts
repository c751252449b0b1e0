/** The page Compare. */
import { expect, inject, it } from 'vitest'
import { consoleTests, SOON, samplePath, visit } from './visitor.ts'

consoleTests('the page Compare', () => {
  it('shows every pair of faces, the best first, and a line between its faces in a narrow window', async () => {
    const { page, trouble } = await visit({ token: inject('token'), hash: '#/compare' })
    const inputs = page.locator('input[type=file]')
    await inputs.nth(0).setInputFiles(samplePath(1))
    await inputs.nth(1).setInputFiles(samplePath(3))
    await page.getByRole('heading', { name: '9 pairs' }).waitFor()
    const values = await page.locator('.pair .value').allInnerTexts()
    const confidences = values.map(text =>
      Number(
        text
          .trim()
          .match(/\d[.,]\d\d/)?.[0]
          .replace(',', '.'),
      ),
    )
    expect(confidences).toHaveLength(9)
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
    expect(values[0]).toMatch(/\((?:medium|strict)\)/)
    expect(confidences[0]).toBeGreaterThan(0.77)
    expect(confidences[2]).toBeLessThan(0.6)
    expect(await page.locator('.pair').first().innerText()).toContain('Face 1 and face 2')
    expect(await page.locator('.face-box[aria-pressed=true]').count()).toBe(2)
    await page.setViewportSize({ width: 360, height: 860 })
    await expect.poll(() => page.locator('.pair-lines line').count(), SOON).toBe(9)
    // The third pair is chosen by the keyboard, and its line is drawn over the others. The page scrolls below the mouse.
    await page.mouse.move(0, 0)
    await page.locator('.pair-name').nth(2).focus()
    expect(await page.locator('.pair.selected').innerText()).toContain(
      await page.locator('.pair-name').nth(2).innerText(),
    )
    const [first, second] = (await page.locator('.pair-name').nth(2).innerText()).match(/\d/g)!.map(Number)
    const boxOf = (photo: number, face: number) => {
      const faces = page.locator('.boxed-photo').nth(photo).locator('.face-box')
      return faces.nth(face - 1).boundingBox()
    }
    const boxes = [await boxOf(0, first!), await boxOf(1, second!)]
    const frame = (await page.locator('.pair-lines').boundingBox())!
    const end = async (name: string) =>
      Number(await page.locator('.pair-lines line:last-child').getAttribute(name))
    expect(await page.locator('.pair-lines .chosen').count()).toBe(1)
    for (const [i, box] of boxes.entries()) {
      const [x, y] = [frame.x + (await end(`x${i + 1}`)), frame.y + (await end(`y${i + 1}`))]
      expect(x).toBeGreaterThan(box!.x - 3)
      expect(x).toBeLessThan(box!.x + box!.width + 3)
      expect(y).toBeGreaterThan(box!.y - 3)
      expect(y).toBeLessThan(box!.y + box!.height + 3)
    }
    expect(trouble).toEqual([])
  })

  it('says on which photo no face is', async () => {
    const { page } = await visit({ token: inject('token'), hash: '#/compare' })
    const inputs = page.locator('input[type=file]')
    await inputs.nth(0).setInputFiles(samplePath(1))
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    )
    await inputs.nth(1).setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: pixel })
    await page.getByText('Second photo: no face was found.').waitFor()
  })
})
