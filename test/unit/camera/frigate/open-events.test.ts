import type { Analyzer } from '#camera/analysis/analyzer.ts'
import { type FrigateMessage, readMessage } from '#camera/frigate/message.ts'
import { openEvents } from '#camera/frigate/open-events.ts'
import type { SeenFace } from '#camera/tracker.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { message, START, type Tracked } from './messages.ts'

const face = (quality: number, x = 480): SeenFace => ({
  box: { x1: x - 30, y1: 520, x2: x + 30, y2: 580 },
  quality,
  roll: 0,
  embedding: new Float32Array(4),
})

/** The event of each message is open in the camera `c`. `pictures` are the faces of the snapshots in the order of their requests. */
function opened(pictures: (SeenFace[] | 'none' | Error)[], most?: number) {
  const visits: VisitEvent[] = []
  const lines: string[] = []
  const asked: string[] = []
  let shown: SeenFace[] = []
  const analyzer: Analyzer = {
    analyze: async frameOf => (frameOf() ? shown : undefined),
    close: async () => {},
  }
  const events = openEvents(
    {
      analyzer,
      fetchSnapshot: async id => {
        asked.push(id)
        const next = pictures.shift() ?? 'none'
        if (next instanceof Error) throw next
        if (next === 'none') return undefined
        shown = next
        return {
          photo: new Uint8Array([asked.length]),
          picture: { data: new Uint8Array(3), width: 1, height: 1 },
        }
      },
      onVisit: visit => visits.push(visit),
      log: line => lines.push(line),
      leastSide: 50,
      leastQuality: 0.2,
    },
    most,
  )
  const take = async (type: 'new' | 'update' | 'end', tracked: Tracked) => {
    events.take(readMessage(Buffer.from(JSON.stringify(message(type, tracked)))) as FrigateMessage, 'c')
    // The snapshot is asked for and analysed at once here.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { visits, lines, asked, take, events }
}

describe('an event of Frigate', () => {
  it('has the face in the box of its person, not the face of a neighbour', async () => {
    const faces = [face(0.9, 900), face(0.5, 480)]
    const { visits, take } = opened([faces, faces])
    await take('end', { id: 'left', box: [432, 496, 544, 854] })
    await take('end', { id: 'right', box: [850, 496, 960, 854] })
    expect(visits.map(({ track, box }) => [track, box.x1])).toEqual([
      ['left', 450],
      ['right', 870],
    ])
  })

  it('asks for the newest snapshot only, when several messages come at once', async () => {
    const { asked, events, visits } = opened([[face(0.4)], [face(0.8)]])
    const read = (value: object) => readMessage(Buffer.from(JSON.stringify(value))) as FrigateMessage
    for (const second of [1, 2, 3, 4]) events.take(read(message('update', { snapshot: START + second })), 'c')
    await events.endAll()
    expect(asked).toHaveLength(2)
    expect(visits).toMatchObject([{ quality: 0.8 }])
  })

  it('is reported when too many others are open', async () => {
    const { visits, take } = opened([[face(0.5)], [face(0.5)], [face(0.5)]], 2)
    for (const id of ['a', 'b', 'c']) await take('new', { id })
    expect(visits.map(({ track }) => track)).toEqual(['a'])
  })
})
