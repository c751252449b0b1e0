import { galleryKey } from '#console/galleries/gallery-key.ts'

it.each([
  ['Köche & Kellner', 'koeche-kellner'],
  ['  Équipe du matin ', 'equipe-du-matin'],
  ['Straße', 'strasse'],
  ['a_b-C', 'a_b-c'],
  ['来客', '6765-5ba2'],
  ['  ', ''],
  ['x'.repeat(60), 'x'.repeat(48)],
])('the name of the gallery %s in the API is %s', (title, key) => {
  expect(galleryKey(title)).toBe(key)
})
