/** Two owners: no request of one shows or changes data of the other. */
import * as fc from 'fast-check'
import { inject } from 'vitest'
import type { Send } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { apiOf } from '../service/edge/shared.ts'
import { furnish, type Generated, generated, photos, requestOf, textOf } from './requests.ts'

/** Number of sequences; CI sets more. */
const SEQUENCES = Number(process.env.MIEN_OWNER_SEQUENCES ?? 50)
const LONGEST = 4

/** Number of concurrent sequences. */
const LANES = 6

/** Number of sequences between comparisons of the victim's state. */
const CHECK_EVERY = 25

const victim = apiOf('victim')
const intruderToken = newToken(inject('data'), 'intruder')
const uploads = await photos()

/** Texts that only the victim's data contain. The intruder sends the name of the gallery and the meta itself. */
const SECRETS = ['victim-url', 'victim-place']

/** Everything that the victim can read, without links, whose signatures change with time. */
async function stateOf(api: Send): Promise<string> {
  const lists = [
    '/faces',
    '/galleries',
    '/persons',
    '/persons/summaries',
    '/meta',
    '/camera',
    '/alerts',
    '/faces/gallery/victim-gallery',
    '/person/id/7',
  ]
  const answers = await Promise.all(lists.map(path => api('GET', `/v0${path}`)))
  const history = await api('POST', '/v0/history/search', {})
  return JSON.stringify([...answers, history].map(({ status, body }) => [status, body])).replaceAll(
    /\?expires=[^"]*/g,
    '',
  )
}

it(`an owner reads and changes nothing of another owner in ${SEQUENCES} sequences of requests with its ids and names`, {
  tags: 'long',
  timeout: Math.max(900_000, SEQUENCES * 500),
}, async () => {
  const known = await furnish(victim, uploads[0]!, {
    gallery: 'victim-gallery',
    meta: 'victim-meta',
    camera: { meta: 'victim-place', url: 'rtsp://victim-url' },
    rule: { url: 'http://127.0.0.1:9/victim-url', name: 'victim-place' },
  })
  const before = await stateOf(victim)
  const sequences = fc.array(generated, { minLength: 1, maxLength: LONGEST })
  let done = 0
  const property = fc.asyncProperty(sequences, async requests => {
    for (const one of requests) await intrude({ ...one, path: named(one.path), params: named(one.params) })
    done++
    if (done % CHECK_EVERY === 0) expect(await stateOf(victim)).toBe(before)
  })

  const intrude = async (one: Generated) => {
    const response = await fetch(requestOf(inject('edge'), intruderToken, one, { uploads, known }))
    const text = await textOf(response)
    const said = `${one.operation.name} -> ${response.status} ${text.slice(0, 400)}`
    // An answer may repeat what the intruder sent, but not the victim's own texts and ids.
    if (response.status < 400) {
      expect(text, said).not.toContain(String(known.face))
      expect(text, said).not.toContain(known.camera)
      expect(text, said).not.toContain(known.alert)
      for (const secret of SECRETS) expect(text, said).not.toContain(secret)
    }
  }

  const lanes = Array.from({ length: LANES }, () =>
    fc.assert(property, { numRuns: Math.ceil(SEQUENCES / LANES), endOnFailure: true }),
  )
  await Promise.all(lanes)
  expect(await stateOf(victim)).toBe(before)
})

/** Replaces the names of known things with the victim's. */
function named<T extends Record<string, unknown>>(values: T): T {
  const text = JSON.stringify(values, (_, value) => (value === undefined ? undefined : value))
  return JSON.parse(text.replaceAll('"known"', '"victim-gallery"').replaceAll('someone else', 'victim-meta'))
}
