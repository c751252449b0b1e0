import { expect, it } from 'vitest'
import type { Sighting } from '#console/persons/face-pages.ts'
import { sightingDays } from '#console/persons/sightings.ts'

const seen = (id: number, cam_id: string, timestamp: string) => ({ id, cam_id, timestamp }) as Sighting

it('groups sightings by day and camera, newest first, whatever their order is', () => {
  const days = sightingDays([
    seen(4, 'door', '2026-11-20T12:00:00.000000'),
    seen(3, 'gate', '2026-11-21T12:10:00.000000'),
    seen(2, 'door', '2026-11-21T12:20:00.000000'),
    seen(1, 'gate', '2026-11-21T12:00:00.000000'),
  ])
  expect(
    days.map(({ cameras }) =>
      cameras.map(({ camera, sightings }) => [camera, ...sightings.map(({ id }) => id)]),
    ),
  ).toEqual([
    [
      ['door', 2],
      ['gate', 3, 1],
    ],
    [['door', 4]],
  ])
})
