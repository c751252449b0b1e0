/** The part of a photo that shows one face. */
import type { Box } from '../../clients/typescript/src/index.ts'
import { cropStyle } from '../photos/boxes.ts'
import type { ShownPhoto } from '../photos/photo.ts'

interface Properties {
  photo: ShownPhoto
  box: Box
  label: string
}

export const Crop = ({ photo, box, label }: Properties) => (
  <div class="crop" role="img" aria-label={label}>
    {photo.size && <img src={photo.src} alt="" style={cropStyle(box, photo.size)} />}
  </div>
)
