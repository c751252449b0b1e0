import { readMessage } from '#camera/frigate/message.ts'
import { frigateCamera } from '#contract/model/camera-url.ts'
import { message, olderMessage, START } from './messages.ts'

const read = (value: unknown) => readMessage(Buffer.from(JSON.stringify(value)))

const BOX = { x1: 432, y1: 496, x2: 544, y2: 854 }

describe('a message of Frigate', () => {
  it('has the event, the camera, and the snapshot with the box of its frame', () => {
    const expected = { id: '1760000000.475377-mxklsc', camera: 'front_door', start: START, end: undefined }
    const snapshot = { time: START + 1, person: BOX }
    expect(read(message('update'))).toEqual({ ...expected, snapshot })
    expect(read(olderMessage('update'))).toEqual({ ...expected, snapshot })
  })

  it('has no box when an older Frigate tells only the box of another frame', () => {
    const told = read(olderMessage('update', { frame: START + 5, snapshot: START + 2 }))
    expect(told).toMatchObject({ snapshot: { time: START + 2, person: undefined } })
  })

  it.each<[string, unknown]>([
    ['no object', 7],
    ['no event', { type: 'new' }],
    ['another type', { ...message('new'), type: 'gone' }],
    ['an id that leads to another path', message('new', { id: '../../config' })],
    ['a camera that is no name', message('new', { camera: 'front door/x' })],
    ['a time that is none', message('new', { snapshot: 1e15 })],
    ['a padding of 300 kB', { ...message('new'), padding: 'x'.repeat(300_000) }],
  ])('is malformed with %s', (_, value) => {
    expect(read(value)).toBe('malformed')
  })

  it('is malformed when it is no JSON', () => {
    expect(readMessage(Buffer.from('{"type":'))).toBe('malformed')
  })
})

it('the URL frigate://NAME names a camera of Frigate, and no other URL does', () => {
  expect(frigateCamera('frigate://front_door')).toBe('front_door')
  for (const url of [undefined, '', 'rtsp://front_door', 'frigate://a/b', 'frigate://', 'frigate://a b'])
    expect(frigateCamera(url)).toBeUndefined()
})
