/** Checks of the machine: good values, warnings and problems. */
import { clockFinding, diskFinding } from '#commands/doctor/machine.ts'

const GB = 2 ** 30
const MB = 2 ** 20
const NOW = Date.UTC(2026, 10, 23)
const MINUTE = 60_000

it.each([
  [2 * GB, 'ok'],
  [100 * MB, 'warning'],
  [10 * MB, 'problem'],
])('the disk with %d free bytes is %s', (free, grade) => {
  expect(diskFinding({ free, needed: 16 * MB }).grade).toBe(grade)
})

it.each([
  ['as the service and the folder', NOW - MINUTE, [NOW + 1000, NOW - 1000], 'ok'],
  ['that was set back', NOW + 2 * MINUTE, [], 'problem'],
  ['that differs from the service', NOW, [NOW, NOW - 2 * MINUTE], 'problem'],
])('the clock %s is well or not', (_, written, dates, grade) => {
  expect(clockFinding(NOW, written, dates).grade).toBe(grade)
})
