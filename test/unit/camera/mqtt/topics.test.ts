import { TOPIC } from '#camera/mqtt/topics.ts'

describe('topics', () => {
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
