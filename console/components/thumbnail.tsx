/** The thumbnail of an enrolled face, by its signed link. */
import type { Box, Face } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { sameOrigin } from '../connection/service.ts'
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

export function Thumbnail({ face, label = '' }: { face: Pick<Face, 'thumbnail'>; label?: string }) {
  const { url } = useService()
  const src = sameOrigin(url, face.thumbnail)
  return src === '' ? (
    <span class="thumbnail none" />
  ) : (
    <img class="thumbnail" src={src} alt={label} loading="lazy" decoding="async" />
  )
}
