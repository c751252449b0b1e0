/** Thumbnails of enrolled and refused photos, for reports. */
import sharp from 'sharp'
import { LIMITS } from '../../../contract/limits.ts'
import { readPhotoFile } from '../../terminal/bounded-file.ts'

/** Height in pixels: twice the height on the page, for dense screens. */
const HEIGHT = 192

/** Widest thumbnail, for panoramas. */
const WIDTH = 480

/** A small upright JPEG of a file; undefined for a file that cannot be read. */
export const thumbnail = (path: string, folder: string | undefined): Promise<Buffer | undefined> =>
  readPhotoFile(path, folder)
    .then(bytes =>
      sharp(bytes, { limitInputPixels: LIMITS.photoPixels })
        .autoOrient()
        .resize({ height: HEIGHT, width: WIDTH, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .jpeg({ quality: 70 })
        .toBuffer(),
    )
    .catch(() => undefined)
