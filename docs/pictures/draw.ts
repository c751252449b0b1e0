/** Makes docs/pictures/detected.jpg: a demo photo with the boxes that the running service answers. */
import { join } from 'node:path'
import sharp from 'sharp'
import { clientOf, form, sample } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'

const WIDTH = 960

const service = await startService()
try {
  const photo = await sample(6)
  const { body } = await clientOf(service.edge, service.token)('POST', '/v0/detect', form({ photo }))
  const { width = WIDTH, height = WIDTH } = await sharp(photo).metadata()
  const boxes = body.faces.map(
    ({ x1, y1, x2, y2 }: Record<'x1' | 'y1' | 'x2' | 'y2', number>) =>
      `<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" rx="8" fill="none" stroke="#2f9" stroke-width="6"/>`,
  )
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${boxes.join('')}</svg>`
  const marked = await sharp(photo)
    .composite([{ input: Buffer.from(drawn) }])
    .png()
    .toBuffer()
  await sharp(marked)
    .resize(WIDTH)
    .jpeg({ quality: 82 })
    .toFile(join(import.meta.dirname, 'detected.jpg'))
} finally {
  await service.stop()
  await service.remove()
}
