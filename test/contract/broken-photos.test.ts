/** Thousands of damaged and forged photos through the whole service: each is refused or analysed, and the service stays healthy. */
import * as fc from 'fast-check'
import { inject } from 'vitest'
import { clientOf, form } from '#test/support/client.ts'
import { type Bytes, brokenPhoto, FORGED, WHOLE } from '#test/support/photos/broken-photos.ts'
import { descendantOf, memoryOf } from '#test/support/processes.ts'
import { RefusalAnswer } from './error-answer.ts'

/** Number of photos; CI sets more. */
const PHOTOS = Number(process.env.MIEN_BROKEN_PHOTOS ?? 48)

/** Number of concurrent requests. */
const AT_ONCE = 8

/** Megabytes by which the workers' process may grow, for memory that is not yet collected. */
const GROWTH = 96

const api = clientOf(inject('edge'), inject('token'))

/** Operations that analyse a photo; identify also sends the faces to core. */
const PATHS = ['/v0/detect', '/v0/detect', '/v0/detect', '/v0/identify']

async function send(photo: Bytes, path: string) {
  const { status, body } = await api('POST', path, form({ photo }))
  const said = `${path} ${JSON.stringify(body)} to ${photo.length} bytes ${Buffer.from(photo.subarray(0, 64)).toString('hex')}`
  expect([200, 400], said).toContain(status)
  if (status === 400) expect(RefusalAnswer.safeParse(body).error, said).toBeUndefined()
}

it.each(Object.entries(FORGED))('the service survives %s', { tags: 'long' }, (_, photo) =>
  send(photo, '/v0/detect'),
)

it(`the service survives ${PHOTOS} damaged photos, and its workers neither die nor grow`, {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  const [whole] = WHOLE
  const round = fc.array(fc.tuple(brokenPhoto, fc.constantFrom(...PATHS)), {
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

  // Every decoder and network has allocated its memory after these.
  for (const photo of WHOLE) await send(photo, '/v0/detect')
  await sendRounds(2)
  const process = await workers()
  const before = await process?.megabytes()
  await sendRounds(Math.ceil(PHOTOS / AT_ONCE))
  const after = await process?.megabytes()
  if (before !== undefined) expect(after! - before).toBeLessThan(GROWTH)
  expect((await api('POST', '/v0/detect', form({ photo: whole! }))).body.faces).toHaveLength(1)
})

/** The process of the workers; it has the same id as long as it lives. Undefined without /proc. */
async function workers() {
  const pid = await descendantOf(inject('launcher'), 'workerd serve').catch(() => undefined)
  return pid === undefined ? undefined : { megabytes: () => memoryOf(pid, 'VmRSS') }
}
