/** From pixels to picture files: what a thumbnail and a normalized face are on the disk. */
import sharp from 'sharp'

/** 8-bit RGB, rows from the top. */
export interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

/** Good enough to tell who it is, small enough for a page with a hundred of them. */
const THUMBNAIL_QUALITY = 85

const rgb = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 3 } })

export const thumbnailJpeg = (pixels: Pixels): Promise<Buffer> =>
  rgb(pixels).jpeg({ quality: THUMBNAIL_QUALITY }).toBuffer()

/** A normalized face, and in a few words how it is laid out. */
export interface NormalizedPixels extends Pixels {
  layout?: string
}

/** Lossless: another model will read it back when a gallery is embedded anew. Its layout is noted in it, as XMP. */
export function normalizedPng({ layout, ...pixels }: NormalizedPixels): Promise<Buffer> {
  const png = rgb(pixels).png()
  return (layout === undefined ? png : png.withXmp(xmpOf(layout))).toBuffer()
}

/** What normalizedPng was given. Throws when it is no picture that can be read. */
export async function readNormalized(png: Uint8Array): Promise<NormalizedPixels> {
  const picture = sharp(png)
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

/** ISO 16684-1, with one property of our own; the layout has no characters that XML would read otherwise. */
const xmpOf = (layout: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" xmlns:mien="https://mien.invalid/ns/" mien:layout="${layout}"/>` +
  '</rdf:RDF></x:xmpmeta>'
