/** Alerts in the stream of live events: each arrives once and after its event, however streams break off. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { StreamItem } from '#contract/operations/messages.ts'
import { deleteAlert } from '#core/operations/alerts/alerts.ts'
import type { Services } from '#core/operations/services.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { tokenIn } from '../../http/token.ts'
import {
  createRule,
  deliveriesOf,
  enrolPerson,
  evaluate,
  FACE,
  nextItems,
  openedLive,
  runAlerts,
  settings,
} from '../alerts/shared.ts'
import { openCores } from '../neighbours.ts'
import { cameraOf, deleteFace, enrolOne, testAlert } from '../world.ts'

type Item = StreamItem<'events.follow'>

/** `face 5` for an event, `alert 5` for an alert about the face 5, `alert` for a test. */
const textOf = ({ face, alert }: Item) =>
  face ? `face ${face.id}` : ['alert', alert?.face?.id ?? ''].join(' ').trim()

/** A rule whose alerts are in live streams only. */
const liveRule = (services: Services, changed = {}) => createRule(services, { url: '', ...changed })

describe('live alerts', () => {
  it('come after their event on request, with face, person and matches, and without the webhook', async () => {
    const { world, camera } = await openedLive()
    const url = 'https://receiver.example/path?key=anna'
    const { id, secret } = await createRule(world, { url, gallery: 'default' })
    const enrolled = await enrolOne(world, FACE, { personId: 7, meta: 'Ann' })
    const face = await enrolPerson(world, 7, { camera })
    await evaluate(world)
    const items = await nextItems(world, 2)
    expect(items.map(textOf)).toEqual([`face ${face}`, `alert ${face}`])
    expect(items[1]!.alert).toMatchObject({
      alert: { id, name: 'door' },
      event_id: items[0]!.id,
      face: { id: face },
      person: { id: 7, seen: 1 },
      matches: [{ face: { id: enrolled }, person: { id: 7 }, confidence: 1, verdict: 'certain' }],
    })
    expect(JSON.stringify(items)).not.toMatch(/receiver|key=anna/)
    expect(JSON.stringify(items)).not.toContain(secret)
    expect((await nextItems(world, 1, { alerts: false })).map(textOf)).toEqual([`face ${face}`])
  })

  it('of a rule without a webhook need no secret and no attempt, and are listed', async () => {
    const { world, camera } = await openedLive()
    const rule = await liveRule(world)
    expect(rule.secret).toBe('')
    expect(rule.url).toBe('')
    runAlerts(world, [])
    const following = nextItems(world, 2)
    const face = await enrolOne(world, FACE, { camera })
    expect((await following).map(textOf)).toEqual([`face ${face}`, `alert ${face}`])
    const deliveries = await deliveriesOf(world, rule.id)
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 0, face_id: face }])
    expect(deliveries[0]).toHaveProperty('ended')
  })

  it('have tests, and none of deleted faces and rules', async () => {
    const { world, camera } = await openedLive()
    const [rule, gone] = [await liveRule(world), await liveRule(world)]
    const face = await enrolOne(world, FACE, { camera })
    const deleted = await enrolOne(world, FACE, { camera })
    await evaluate(world)
    await testAlert(world, rule.id)
    await deleteFace(world, deleted)
    await deleteAlert(world, { owner: OWNER, id: gone.id })
    const items = await nextItems(world, 3, { filter: { cameras: [], gallery: 'default' } })
    expect(items.map(textOf)).toEqual([`face ${face}`, `alert ${face}`, 'alert'])
    expect(items.at(-1).alert).toEqual({ alert: { id: rule.id, name: 'door' } })
  })
})

it('live alerts of cores that share a server arrive once and after their events, however enrolments overlap and streams break off', {
  tags: 'long',
}, async () => {
  const server = await databaseServerOfTest()
  const cores = await openCores(2, { url: server.url })
  await tokenIn(cores[0]!)
  const camera = await cameraOf(cores[0]!)
  const rules = [await liveRule(cores[0]!), await liveRule(cores[1]!, settings({ url: '' }))]
  for (const core of cores) runAlerts(core, [])
  let after = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1), fc.nat(20)), { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(1), fc.integer({ min: 1, max: 5 })), { minLength: 1 }),
      async (enrolments, readers) => {
        const before = after
        const storing = Promise.all(
          enrolments.map(async ([core, ms]) => {
            await sleep(ms)
            return enrolOne(cores[core]!, FACE, { camera })
          }),
        )
        const total = enrolments.length * (rules.length + 1)
        const seen: Item[] = []
        for (let i = 0; seen.length < total; i++) {
          const [core, count] = readers[i % readers.length]!
          seen.push(...(await nextItems(cores[core]!, Math.min(count, total - seen.length), { after })))
          after = seen.at(-1).id
        }
        const again = await nextItems(cores[1]!, total, { after: before })
        expect(again.map(textOf)).toEqual(seen.map(textOf))
        const faces = await storing
        const expected = faces.flatMap(id => [`face ${id}`, ...rules.map(() => `alert ${id}`)])
        expect(seen.map(textOf).sort()).toEqual(expected.sort())
        for (const id of faces)
          expect(seen.map(textOf).indexOf(`face ${id}`)).toBeLessThan(seen.map(textOf).indexOf(`alert ${id}`))
      },
    ),
    { numRuns: 2 },
  )
})
