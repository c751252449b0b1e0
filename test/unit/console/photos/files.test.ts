import { describe, expect, it } from 'vitest'
import { droppedFiles, faultOf } from '#console/photos/files.ts'

/** A dropped file; one that cannot be read without `file`. */
const fileEntry = (fullPath: string, file?: File) => ({
  ...{ isFile: true, name: fullPath.slice(1), fullPath },
  file: (found: (file: File) => void, failed: () => void) => (file ? found(file) : failed()),
})

const transferOf = (entries: object[]) =>
  ({ items: entries.map(entry => ({ webkitGetAsEntry: () => entry })) }) as unknown as DataTransfer

describe('dropped files', () => {
  it('that cannot be read are skipped with a reason, and the others stay', async () => {
    const file = new File([], 'b.jpg', { type: 'image/jpeg' })
    const readEntries = (_: unknown, failed: () => void) => failed()
    const folder = { isFile: false, name: 'c', fullPath: '/c', createReader: () => ({ readEntries }) }
    const transfer = transferOf([fileEntry('/a.jpg'), fileEntry('/b.jpg', file), folder])
    const found = await droppedFiles(transfer, () => undefined)
    expect(found.map(({ path, file }) => [path, faultOf(file)])).toEqual([
      ['a.jpg', 'a.jpg cannot be read.'],
      ['b.jpg', undefined],
      ['c', 'c cannot be read.'],
    ])
  })

  it('are counted while they are read', async () => {
    const file = new File([], '1.jpg', { type: 'image/jpeg' })
    const pages = Array.from({ length: 3 }, (_, i) =>
      Array.from({ length: 100 }, (_, j) => fileEntry(`/a/${i}-${j}.jpg`, file)),
    )
    const readEntries = (found: (entries: object[]) => void) => found(pages.pop() ?? [])
    const folder = { isFile: false, name: 'a', fullPath: '/a', createReader: () => ({ readEntries }) }
    const counts: number[] = []
    expect(await droppedFiles(transferOf([folder]), count => counts.push(count))).toHaveLength(300)
    expect(counts).toEqual([100, 200, 300])
  })
})
