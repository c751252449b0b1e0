import { describe, expect, it } from 'vitest'
import { TOPIC, topicsOf } from '#camera/mqtt/topics.ts'

const CAMERA = 'fb1c2902-d84a-4684-a10a-fd25e1ce0c8d'

describe('topics', () => {
  const topics = topicsOf('home/mien')

  it('begin with the base topic, and are recognised', () => {
    expect(topics.cameraOf(topics.person(CAMERA))).toBe(CAMERA)
    expect(topics.cameraOf(topics.enabled(CAMERA))).toBe(CAMERA)
    expect(topics.personOf(topics.seen(7))).toBe(7)
  })

  it('of others are not', () => {
    for (const topic of [
      'mien/person/7/seen',
      'home/mien/person/x/seen',
      'home/mien/person/7/seen/x',
      topics.event(CAMERA),
    ]) {
      expect(topics.cameraOf(topic)).toBeUndefined()
      expect(topics.personOf(topic)).toBeUndefined()
    }
  })

  it.each(['mien', 'home/faces-1', 'a/b/c/d/e'])('may have the base %s', base => {
    expect(TOPIC.test(base)).toBe(true)
  })

  it.each(['', '#', 'mien/#', 'a+b', '/mien', 'mien/', 'a//b', '$SYS', 'a/b/c/d/e/f', 'a b', 'a.b'])(
    'may not have the base %j',
    base => {
      expect(TOPIC.test(base)).toBe(false)
    },
  )
})
