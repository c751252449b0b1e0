/** Cameras and galleries of the owner, as forms offer them. */
import type { Camera, CameraChange, Gallery, MienClient } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'
import { useClient } from './service.ts'
import { type Task, useTask } from './task.ts'

/** A gallery as lists of the console name it. */
type NamedGallery = Pick<Gallery, 'name' | 'display_name'>

/** The galleries with their display names. Another number of `changes` loads them again. */
export function useGalleries(changes = 0): Task<NamedGallery[]> {
  const client = useClient()
  return useTask(signal => client.galleries.named({ signal }), [], [changes])
}

/** What pages call a gallery. */
export const galleryTitle = ({ name, display_name }: NamedGallery): string =>
  display_name ?? (name === 'default' ? TEXTS.galleries.all : name)

/** What pages call the gallery of this name in the API. */
export const titleOfGallery = (galleries: readonly NamedGallery[] = [], name: string): string =>
  galleryTitle(galleries.find(gallery => gallery.name === name) ?? { name })

/** Names and titles of galleries. */
export const galleryOptions = (galleries: readonly NamedGallery[] = []): [name: string, title: string][] =>
  galleries.map(gallery => [gallery.name, galleryTitle(gallery)])

export function useCameras(): Task<Camera[]> {
  const client = useClient()
  return useTask(signal => client.cameras.list({ signal }).toArray(), [])
}

/** Ids and names of cameras. An id that is chosen stays, also of a deleted camera. */
export function cameraOptions(cameras: readonly Camera[] = [], chosen = ''): [id: string, name: string][] {
  const options = cameras.map(({ id, meta }): [string, string] => [id, meta || id])
  return chosen === '' || options.some(([id]) => id === chosen) ? options : [...options, [chosen, chosen]]
}

/** The meta of a camera by its id, with or without dashes. Undefined: it has none, or the camera was deleted. */
export const cameraName = (cameras: readonly Camera[] = [], id: string): string | undefined =>
  cameras.find(camera => withoutDashes(camera.id) === withoutDashes(id))?.meta || undefined

const withoutDashes = (id: string) => id.replaceAll('-', '')

/**
 * Changes a camera. The API deletes regions that a change leaves out: regions of the stored camera are read and sent again, because
 * they may have changed since the page was loaded.
 */
export async function updateCamera(
  client: MienClient,
  id: string,
  change: Omit<CameraChange, 'rot' | 'roi'>,
): Promise<Camera> {
  const { rot, roi } = await client.cameras.get(id)
  return client.cameras.update(id, { ...change, rot, roi })
}
