/** The sample photos of the service, and the gallery that the first visit fills with their faces. */
import { type GalleryStatistics, type MienClient, MienError } from '../../clients/typescript/src/index.ts'
import { enrolPhotos } from '../galleries/enrolment.ts'
import { TEXTS } from '../texts.ts'

/** The photo to try. A person on it is also on the first of the others. */
export const TRIED = 'sample1.jpg'

/** The photos to enrol. */
export const ENROLLED = ['sample3.jpg', 'sample4.jpg']

export const SAMPLE_GALLERY = 'samples'

/** Address of a sample photo of the service at this URL. */
export const sampleUrl = (url: string, name: string): string => `${url}/console/${name}`

/** Rejects when the service does not answer. */
export async function samplePhoto(url: string, name: string): Promise<File> {
  const response = await fetch(sampleUrl(url, name))
  if (!response.ok) throw new Error(`No sample photo ${name}`)
  return new File([await response.blob()], name, { type: 'image/jpeg' })
}

/** Whether the service has no faces but those of the samples, and whether it has these. */
export function visitOf(galleries: readonly GalleryStatistics[]): { isFirst: boolean; hasSamples: boolean } {
  const facesIn = (name: string) => galleries.find(gallery => gallery.name === name)?.faces ?? 0
  const samples = facesIn(SAMPLE_GALLERY)
  return { isFirst: facesIn('default') === samples, hasSamples: samples > 0 }
}

/** Enrols the faces of the sample photos. Throws the reason of the first photo that fails, and returns the number of faces. */
export async function enrolSamples(client: MienClient, url: string, signal: AbortSignal): Promise<number> {
  await client.galleries.create(SAMPLE_GALLERY, {}, { signal }).catch(cause => {
    if (!(cause instanceof MienError) || cause.code !== 'GALLERY_EXISTS') throw cause
  })
  const files = await Promise.all(ENROLLED.map(name => samplePhoto(url, name)))
  const photos = files.map(file => ({ file, path: file.name }))
  const settings = { meta: TEXTS.firstVisit.meta, usesFolderNames: false, selector: 'all' } as const
  let faces = 0
  let failure: string | undefined
  await enrolPhotos(
    client,
    photos,
    { ...settings, gallery: SAMPLE_GALLERY },
    {
      signal,
      onProgress: progress => {
        faces = progress.faces
        failure = progress.failures[0]?.reason
      },
    },
  )
  if (failure !== undefined) throw new SampleError(failure)
  return faces
}

/** A sample photo that was not enrolled. The message is for the visitor. */
export class SampleError extends Error {
  override readonly name = 'SampleError'
}
