import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { appendPhoto, type Photo } from '#clients/typescript/src/fields.ts'
import { sharedFolder } from '../../core/folder.ts'

const folder = sharedFolder()
writeFileSync(join(folder, 'ann.jpg'), 'JPEG')

async function partOf(photo: Photo): Promise<[string, string?]> {
  const form = new FormData()
  await appendPhoto(form, 'photo', photo)
  const part = form.get('photo')!
  return typeof part === 'string' ? [part] : [await part.text(), part.name]
}

describe('a photo', () => {
  const bytes = Buffer.from('JPEG')

  it.each<[string, Photo, string]>([
    ['a path', join(folder, 'ann.jpg'), 'ann.jpg'],
    ['a file: URL', pathToFileURL(join(folder, 'ann.jpg')), 'ann.jpg'],
    ['a Blob', new Blob([bytes]), 'photo'],
    ['a File', new File([bytes], 'bob.png'), 'bob.png'],
    ['bytes', bytes, 'photo'],
    ['a part of a buffer', Buffer.from('a JPEG b').subarray(2, 6), 'photo'],
  ])('that is %s is sent as a file with a name', async (_, photo, name) => {
    expect(await partOf(photo)).toEqual(['JPEG', name])
  })

  it.each([
    'HTTPS://photos.example/a.jpg',
    'data:image/png;base64,AAAA',
    new URL('https://photos.example/a'),
  ])('that is a URL is sent as text: %s', async url => {
    expect(await partOf(url)).toEqual([String(url)])
  })

  it('that is a missing file fails before anything is sent', async () => {
    await expect(partOf(join(folder, 'missing.jpg'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('of another kind is refused', async () => {
    await expect(partOf(7 as unknown as Photo)).rejects.toThrow(
      'photo: expected a path, a URL, a Blob or bytes.',
    )
  })
})
