/** A chosen photo on the page: the file and an address that shows it. */
import { useEffect, useState } from 'preact/hooks'
import type { Size } from './boxes.ts'

export interface ShownPhoto {
  file: File
  /** Address of the file within the page. */
  src: string
  /** Pixels of the upright photo; undefined until the browser has read it. */
  size: Size | undefined
}

/** The photo of a file. Its address ends with the component, and with the file. */
export function useShownPhoto(file: File | undefined): ShownPhoto | undefined {
  const [photo, setPhoto] = useState<ShownPhoto>()
  useEffect(() => {
    if (!file) return setPhoto(undefined)
    const src = URL.createObjectURL(file)
    let isCurrent = true
    setPhoto({ file, src, size: undefined })
    const image = new Image()
    image.onload = () => {
      const size = { width: image.naturalWidth, height: image.naturalHeight }
      if (isCurrent) setPhoto({ file, src, size })
    }
    image.src = src
    return () => {
      isCurrent = false
      URL.revokeObjectURL(src)
    }
  }, [file])
  return photo
}
