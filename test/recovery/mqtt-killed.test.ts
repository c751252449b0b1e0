/** A bridge and a broker that are killed while cameras post: no event is lost. Skipped without mosquitto. */
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { storedMessages, subscriber, testBroker } from '../service/camera/mqtt/mosquitto.ts'
import { newOwner, startBridge } from '../service/camera/watching.ts'

const ROUNDS = Number(process.env.MIEN_KILL_ROUNDS ?? 1)

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 90_000, interval: 100 })

it.skipIf(!hasMosquitto)(
  'kills of mien mqtt and of its broker lose no event, and no event comes under two ids',
  { tags: ['long', 'mosquitto'], timeout: 600_000 },
  async () => {
    const broker = await testBroker()
    const owner = newOwner('read')
    const { camera, post } = owner
    const door = await camera({})
    const listener = await subscriber(broker.url, `mien/camera/${door}/event`, 'mien/bridge/position')
    const events = () => listener.texts(`mien/camera/${door}/event`).map(text => JSON.parse(text))
    let bridge = startBridge(owner, broker.url)
    await bridge.line('service connected')
    await listener.last('mien/bridge/position')

    const posted: number[] = []
    let isOver = false
    const posting = (async () => {
      while (!isOver) posted.push((await post(door)).id)
    })()
    for (let round = 0; round < ROUNDS; round++) {
      const before = events().length
      await until(() => expect(events().length).toBeGreaterThan(before + 1))
      await bridge.stop('SIGKILL')
      bridge = startBridge(owner, broker.url)
      await until(() => expect(events().length).toBeGreaterThan(before + 3))
      await broker.kill()
      await bridge.line('broker away')
      await broker.start()
    }
    isOver = true
    await posting
    await until(() => expect(new Set(events().map(({ face }) => face.id))).toEqual(new Set(posted)))

    const ids = new Map<number, Set<string>>()
    for (const { id, face } of events()) ids.set(face.id, (ids.get(face.id) ?? new Set()).add(id))
    for (const [face, names] of ids) expect([...names], `face ${face}`).toHaveLength(1)
    const last = [...ids.get(posted.at(-1))!][0]
    await until(async () =>
      expect((await storedMessages(broker.url, 'mien/#')).get('mien/bridge/position')).toBe(last),
    )
  },
)
