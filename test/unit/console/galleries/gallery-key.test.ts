import { describe, expect, it } from 'vitest'
import { galleryKey } from '#console/galleries/gallery-key.ts'

describe('the name of a gallery in the API', () => {
  it.each([
    ['Köche & Kellner', 'koeche-kellner'],
    ['  Équipe du matin ', 'equipe-du-matin'],
    ['Straße', 'strasse'],
    ['a_b-C', 'a_b-c'],
    ['来客', 'gallery'],
    ['  ', ''],
    ['x'.repeat(60), 'x'.repeat(48)],
  ])('of %s is %s', (title, key) => {
    expect(galleryKey(title, [])).toBe(key)
  })

  it('gets a number when it is taken', () => {
    expect(galleryKey('Staff', ['staff', 'staff-2'])).toBe('staff-3')
    const long = 'x'.repeat(48)
    expect(galleryKey(long, [long])).toBe(`${'x'.repeat(46)}-2`)
  })
})
