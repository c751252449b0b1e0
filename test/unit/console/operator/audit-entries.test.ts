/** Rows and files of the audit log. */
import type { AuditEntry } from '#clients/typescript/src/index.ts'
import { csvOf, objectOf, rowsOf } from '#console/operator/audit-entries.ts'

const entry = (
  seq: number,
  action: string,
  subject: AuditEntry['subject'] = {},
  actor = 'token 1',
): AuditEntry => ({
  seq,
  time: '2026-01-31T23:30:00.000000',
  actor,
  action,
  subject,
})

it('visits of one camera are one row with their number, and each search has its own', () => {
  const visit = { faces: [7], camera: 'a' }
  const entries = [
    entry(9, 'face.footage'),
    entry(8, 'enrol', visit),
    entry(7, 'face.footage'),
    entry(6, 'enrol', visit),
    entry(5, 'enrol', visit, 'token 2'),
    entry(4, 'enrol'),
    entry(3, 'enrol'),
    entry(2, 'enrol', { camera: 'a' }),
    entry(1, 'enrol', { camera: 'b' }),
    entry(0, 'identify'),
    entry(-1, 'identify'),
  ]
  expect(rowsOf(entries).map(({ entry: { seq }, count }) => [seq, count])).toEqual([
    [8, 2],
    [5, 1],
    [4, 1],
    [3, 1],
    [2, 1],
    [1, 1],
    [0, 1],
    [-1, 1],
  ])
})

it('a file has the time in UTC, and no text that a spreadsheet computes', () => {
  const lines = csvOf([entry(1, 'person.get', { person: 7 }, '=A1'), entry(0, 'x')], 1).split('\r\n')
  expect(lines[1]).toMatch(/^"1","2026-01-31T23:30:00.000000Z","'=A1","person.get",.*,"{""person"":7}"/)
  expect([lines[0]![0], lines[2]]).toEqual(['\uFEFF', '"Older entries are not in this file."'])
})

it('the object of an entry is the first that has one id', () => {
  expect([entry(1, 'a', { faces: [1], person: 7 }), entry(1, 'a', { kind: 'clip' })].map(objectOf)).toEqual([
    'person 7',
    undefined,
  ])
})
