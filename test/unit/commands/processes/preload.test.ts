/** Definitions that Node 20 lacks behave like the definitions of the running Node. */

it('the warnings of JSON modules by Node 20 are left out', async () => {
  const warned = new Promise<Error>(resolve => process.once('warning', resolve))
  process.emitWarning('Importing JSON modules is an experimental feature', 'ExperimentalWarning')
  process.emitWarning('another')
  expect((await warned).message).toBe('another')
})

describe('on a Node without them', () => {
  const { groupBy } = Map
  const { withResolvers } = Promise
  let loaded = 0
  beforeEach(async () => {
    Reflect.deleteProperty(Map, 'groupBy')
    Reflect.deleteProperty(Promise, 'withResolvers')
    // A new query loads the module again.
    await import(`../../../../commands/processes/preload.ts?${loaded++}`)
    expect(Map.groupBy).not.toBe(groupBy)
  })
  afterEach(() => {
    Map.groupBy = groupBy
    Promise.withResolvers = withResolvers
  })

  it('Map.groupBy groups in the order of the items', () => {
    const byParity = (item: number, index: number) => (item + index) % 2
    const items = new Set([5, 4, 8, 1])
    expect([...Map.groupBy(items, byParity)]).toEqual([...groupBy.call(Map, items, byParity as never)])
  })

  it('Promise.withResolvers returns a promise and the functions that settle it', async () => {
    const [kept, broken] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    kept.resolve(1)
    broken.reject(new Error('broken'))
    await expect(kept.promise).resolves.toBe(1)
    await expect(broken.promise).rejects.toThrow('broken')
  })
})
