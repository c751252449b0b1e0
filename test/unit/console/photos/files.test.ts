import { describe, expect, it } from 'vitest'
import { droppedFiles, sortedFiles } from '#console/photos/files.ts'

describe('a chosen file', () => {
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
})
