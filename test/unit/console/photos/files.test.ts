import { droppedFiles, faultOf } from '#console/photos/files.ts'

it('dropped files that cannot be read are skipped with a reason, and the others stay', async () => {
  const file = new File([], 'b.jpg', { type: 'image/jpeg' })
  const entry = (name: string, read: (found: (file: File) => void, failed: () => void) => void) => ({
    isFile: true,
    name,
    fullPath: `/${name}`,
    file: read,
  })
  const readEntries = (_: unknown, failed: () => void) => failed()
  const folder = { isFile: false, name: 'c', fullPath: '/c', createReader: () => ({ readEntries }) }
  const entries = [entry('a.jpg', (_, failed) => failed()), entry('b.jpg', found => found(file)), folder]
  const items = entries.map(dropped => ({ webkitGetAsEntry: () => dropped }))
  const found = await droppedFiles({ items } as unknown as DataTransfer)
  expect(found.map(({ path, file }) => [path, faultOf(file)])).toEqual([
    ['a.jpg', 'a.jpg cannot be read.'],
    ['b.jpg', undefined],
    ['c', 'c cannot be read.'],
  ])
})
