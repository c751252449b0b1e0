/** Photos of `mien detect`: boxes and labels that are drawn on a copy. */
import { join } from 'node:path'
import sharp from 'sharp'
import { boxesSvg, drawBoxes } from '#commands/api/photos.ts'
import { temporaryFolder } from '../../core/folder.ts'

const BOX = { x1: 20, y1: 30, x2: 80, y2: 90 }

it('boxesSvg contains no markup of a label', () => {
  const svg = boxesSvg(120, 100, [{ box: BOX, label: '</text><image href="file:///etc/passwd"/>' }])
  expect(svg.match(/<\w+/g)).toEqual(['<svg', '<rect', '<text', '<text'])
})

it('drawBoxes draws on the upright photo, and says which file it cannot write', async () => {
  const folder = await temporaryFolder()
  const blank = sharp({ create: { width: 100, height: 160, channels: 3, background: '#000' } })
  const photo = new File([await blank.withMetadata({ orientation: 6 }).jpeg().toBuffer()], 'turned.jpg')
  const drawnTo = (...path: string[]) => drawBoxes(photo, join(folder, ...path), [{ box: BOX, label: 'Ann' }])
  await drawnTo('out.png')
  await expect(drawnTo('none', 'out.png')).rejects.toThrow(
    `${join(folder, 'none', 'out.png')} can't be written.`,
  )
  const { data, info } = await sharp(join(folder, 'out.png')).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([160, 100])
  const [red, , blue] = data.subarray((60 * info.width + 20) * info.channels)
  expect(red! - blue!).toBeGreaterThan(100)
})
