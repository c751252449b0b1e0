/** The guide in the search of the console. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idOfHeading, sectionsWith } from '#console/help/documents.ts'
import { ROOT } from '#test/support/root.ts'

const guide = readFileSync(join(ROOT, 'docs', 'guide.md'), 'utf8')

it.each([
  ['portrait', 'Enrol people'],
  ['PROXY https', 'Use it from other computers and phones'],
  ['split off', 'Mistakes'],
  ['gender', 'Gender, age and emotions'],
  ['e-mail', 'Alerts'],
])('"%s" finds the section %s of the guide', (text, title) => {
  expect(sectionsWith(text, guide)[0]).toBe(title)
})

it('a word that is nowhere finds nothing', () => {
  expect(sectionsWith('xylophone', guide)).toEqual([])
})

it('the id of a heading is as in links', () => {
  expect(idOfHeading('Gender, age and emotions')).toBe('gender-age-and-emotions')
})
