import { describe, expect, it } from 'vitest'
import { faultOf, folderOf } from '../../../../console/photos/files.ts'

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

  it.each([
    ['a.jpg', ''],
    ['people/Ann Lee/1.jpg', 'Ann Lee'],
  ])('with the path "%s" is in the folder "%s"', (path, folder) => {
    expect(folderOf(path)).toBe(folder)
  })
})
