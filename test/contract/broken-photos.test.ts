/** Photos damaged and forged, by the thousand, through the whole service: refused or seen, and nothing is the worse for it. */
import * as fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { type Bytes, broken, FORGED, WHOLE } from '../../bench/harness/broken-photos.ts'
import { clientOf, form } from '../../bench/harness/client.ts'
import { descendantOf, memoryOf } from '../../bench/harness/processes.ts'
import { RefusalAnswer } from './error-answer.ts'

/** How many; CI asks for more. */
const PHOTOS = Number(process.env.MIEN_BROKEN_PHOTOS ?? 200)

/** So many are under way at once. */
const AT_ONCE = 8

/** Megabytes by which the process of the workers may grow over them all: what its garbage collectors leave lying about. */
const GROWTH = 96

const api = clientOf(inject('edge'), inject('token'))

/** Only those who look at a photo, and those that send it on to core. */
const PATHS = ['/v0/detect', '/v0/detect', '/v0/detect', '/v0/identify']

async function send(photo: Bytes, path: string): Promise<void> {
  const { status, body } = await api('POST', path, form({ photo }))
  const said = `${path} ${JSON.stringify(body)} to ${photo.length} bytes ${Buffer.from(photo.subarray(0, 64)).toString('hex')}`
  expect([200, 400], said).toContain(status)
  if (status === 400) expect(RefusalAnswer.safeParse(body).error, said).toBeUndefined()
}

it.each(Object.entries(FORGED))('survives %s', (_, photo) => send(photo, '/v0/detect'))

it(`survives ${PHOTOS} photos that were damaged, and its workers neither die nor grow`, async () => {
  const [whole] = WHOLE
  const round = fc.array(fc.tuple(broken, fc.constantFrom(...PATHS)), {
    minLength: AT_ONCE,
    maxLength: AT_ONCE,
  })
  const sendRounds = (rounds: number) =>
    fc.assert(
      fc.asyncProperty(round, async photos => {
        await Promise.all(photos.map(([photo, path]) => send(photo, path)))
      }),
      { numRuns: rounds, endOnFailure: true },
    )

  // Each decoder and network has its memory after these.
  for (const photo of WHOLE) await send(photo, '/v0/detect')
  await sendRounds(5)
  const process = await workers()
  const before = await process?.megabytes()
  await sendRounds(Math.ceil(PHOTOS / AT_ONCE))
  const after = await process?.megabytes()
  if (before !== undefined) expect(after! - before).toBeLessThan(GROWTH)
  expect((await api('POST', '/v0/detect', form({ photo: whole! }))).body.faces).toHaveLength(1)
}, 600_000)

/** The process that the workers live in; its number is that of one life. Undefined where there is no /proc. */
async function workers() {
  const pid = await descendantOf(inject('launcher'), 'workerd serve').catch(() => undefined)
  return pid === undefined ? undefined : { megabytes: () => memoryOf(pid, 'VmRSS') }
}
