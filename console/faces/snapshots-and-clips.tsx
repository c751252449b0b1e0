/** The footage of an event: the whole photo with the box of the face, and the clip. A file that is gone is left out. */
import { useState } from 'preact/hooks'
import type { Box } from '../../clients/typescript/src/index.ts'
import { sameOrigin, useService } from '../connection/service.ts'
import { placeOf, type Size } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'

export function Snapshot({ link, face }: { link: string; face: Box }) {
  const { url } = useService()
  const [size, setSize] = useState<Size | 'gone'>()
  if (size === 'gone') return null
  return (
    <div class="boxed-photo footage">
      <img
        src={sameOrigin(url, link)}
        alt={TEXTS.face.snapshot}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth, height: naturalHeight })
        }
        onError={() => setSize('gone')}
      />
      {size && <span class="face-box" style={placeOf(face, size)} />}
    </div>
  )
}

export function Clip({ link }: { link: string }) {
  const { url } = useService()
  const [isGone, setGone] = useState(false)
  return isGone ? (
    <p class="hint footage">
      {TEXTS.face.clipFailed}{' '}
      <a href={sameOrigin(url, link)} download>
        {TEXTS.face.saveClip}
      </a>
    </p>
  ) : (
    // The clip has no sound, and so no subtitles.
    // biome-ignore lint/a11y/useMediaCaption: there is nothing to hear
    <video
      class="footage"
      controls
      preload="metadata"
      aria-label={TEXTS.face.clip}
      src={sameOrigin(url, link)}
      onError={() => setGone(true)}
    />
  )
}
