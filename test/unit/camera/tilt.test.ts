import { addTurns, openTilt } from '#camera/tilt.ts'
import { times } from '#test/support/times.ts'

const faces = (roll: number, count = 1, quality = 0.8) => times(count, () => ({ roll, quality }))

it.each([
  [[8, -30, 44], 0],
  [[-88, -95, -70], 90],
  [[178, -170, 150], 180],
  [[88, 95, 70], 270],
])('faces with a roll of %j need a turn of %i degrees', (rolls, turn) => {
  const tilt = openTilt()
  for (let i = 0; i < 3; i++) for (const roll of rolls) tilt.see(faces(roll))
  expect(tilt.needed()).toBe(0)
  tilt.see(faces(rolls[0]!))
  expect(tilt.needed()).toBe(turn)
  tilt.reset()
  expect(tilt.needed()).toBe(0)
})

it('a few lying people and unclear faces do not turn the picture', () => {
  const tilt = openTilt()
  tilt.see([...faces(90, 10), ...faces(0, 10), ...faces(90, 30, 0.05)])
  expect(tilt.needed()).toBe(0)
  expect(addTurns(270, 180)).toBe(90)
})
