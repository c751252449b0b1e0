/** Encodes and decodes picture files: thumbnails and normalized faces. */

/** 8-bit RGB pixels, rows from the top. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

/** JPEG quality: a person stays recognizable, and a page can show a hundred thumbnails. */
const THUMBNAIL_QUALITY = 85

/** Loaded on use. */
const library = async () => (await import('sharp')).default

const rgb = async ({ data, width, height }: Pixels) =>
  (await library())(data, { raw: { width, height, channels: 3 } })

export const thumbnailJpeg = async (pixels: Pixels): Promise<Buffer> =>
  (await rgb(pixels)).jpeg({ quality: THUMBNAIL_QUALITY }).toBuffer()

/** A normalized face and its chip layout; see embedding/label.ts. */
export interface NormalizedPixels extends Pixels {
  layout?: string
}

/** Encodes a normalized face without loss, for embedding with another model later. The layout is stored as XMP. */
export async function normalizedPng({ layout, ...pixels }: NormalizedPixels): Promise<Buffer> {
  const png = (await rgb(pixels)).png()
  return (layout === undefined ? png : png.withXmp(xmpOf(layout))).toBuffer()
}

/** Thumbnail and normalized face, as pixels or encoded. */
export interface FacePictures {
  thumbnail: Pixels | Uint8Array
  normalized: NormalizedPixels | Uint8Array
}

/** Encodes pictures that are not encoded yet. */
export async function encodePictures({
  thumbnail,
  normalized,
}: FacePictures): Promise<{ thumbnail: Uint8Array; normalized: Uint8Array }> {
  const [jpeg, png] = await Promise.all([
    thumbnail instanceof Uint8Array ? thumbnail : thumbnailJpeg(thumbnail),
    normalized instanceof Uint8Array ? normalized : normalizedPng(normalized),
  ])
  return { thumbnail: jpeg, normalized: png }
}

/** Decodes the result of normalizedPng. Throws when it is not a readable picture. */
export async function readNormalized(png: Uint8Array): Promise<NormalizedPixels> {
  const picture = (await library())(png)
  const { xmpAsString = '' } = await picture.metadata()
  const { data, info } = await picture
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [, layout] = /mien:layout="([^"]*)"/.exec(xmpAsString) ?? []
  const pixels = { data: new Uint8Array(data), width: info.width, height: info.height }
  return layout === undefined ? pixels : { ...pixels, layout }
}

/** XMP (ISO 16684-1) with one property of our own. The layout contains no characters that need XML escapes. */
const xmpOf = (layout: string) =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" xmlns:mien="https://mien.invalid/ns/" mien:layout="${layout}"/>` +
  '</rdf:RDF></x:xmpmeta>'
