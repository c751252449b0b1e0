/** The thumbnail of an enrolled face, by its signed link. */
import type { Face } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { sameOrigin } from '../connection/service.ts'

export function Thumbnail({ face, label = '' }: { face: Pick<Face, 'thumbnail'>; label?: string }) {
  const { url } = useService()
  const src = sameOrigin(url, face.thumbnail)
  return src === '' ? (
    <span class="thumbnail none" />
  ) : (
    <img class="thumbnail" src={src} alt={label} loading="lazy" decoding="async" />
  )
}
