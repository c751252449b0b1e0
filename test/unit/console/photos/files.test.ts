import { describe, expect, it } from 'vitest'
import { droppedFiles, faultOf, folderOf, sortedFiles } from '#console/photos/files.ts'

describe('a chosen file', () => {
  it.each([
    ['image/jpeg', 10 * 2 ** 20, undefined],
    ['image/webp', 1, undefined],
    ['image/png', 10 * 2 ** 20 + 1, 'a is larger than 10 MB.'],
    ['image/gif', 1, 'a is not a JPEG, PNG or WEBP photo.'],
    ['', 1, 'a is not a JPEG, PNG or WEBP photo.'],
  ])('of the type "%s" with %i bytes: %s', (type, size, fault) => {
    expect(faultOf({ name: 'a', type, size })).toBe(fault)
  })

  it('that is dropped and cannot be read is skipped with a reason, and the others stay', async () => {
    const file = new File([], 'b.jpg', { type: 'image/jpeg' })
    const entry = (name: string, read: (found: (file: File) => void, failed: () => void) => void) => ({
      webkitGetAsEntry: () => ({ isFile: true, name, fullPath: `/${name}`, file: read }),
    })
    const items = [entry('a.jpg', (_, failed) => failed()), entry('b.jpg', found => found(file))]
    expect(sortedFiles(await droppedFiles({ items } as unknown as DataTransfer))).toEqual({
      photos: [{ file, path: 'b.jpg' }],
      skipped: [{ path: 'a.jpg', reason: 'a.jpg cannot be read.' }],
    })
  })

  it.each([
    ['a.jpg', ''],
    ['people/Ann Lee/1.jpg', 'Ann Lee'],
  ])('with the path "%s" is in the folder "%s"', (path, folder) => {
    expect(folderOf(path)).toBe(folder)
  })
})
