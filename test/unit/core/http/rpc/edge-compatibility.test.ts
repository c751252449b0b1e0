import { RPC_VERSION } from '#contract/rpc/message-headers.ts'
import { dropUnknown, edgeVersion, VersionMismatch } from '#core/http/rpc/edge-compatibility.ts'

const CAMERA = { id: '00000000-0000-0000-0000-000000000000', enabled: true }

describe('edgeVersion', () => {
  it('gives an edge of the last release the fields that it knows', () => {
    const edge = edgeVersion(String(RPC_VERSION - 1))
    const answer = { cameras: [{ ...CAMERA, since: 'today' }], more: 1 }
    expect(edge.operation('cameras.list')('response', answer)).toEqual({ cameras: [CAMERA] })
    expect(edge.stream('persons.list')('end', { since: 'today' })).toEqual({})
  })

  it('gives an edge of this version the whole answer', () => {
    const answer = { cameras: [{ ...CAMERA, since: 'today' }], more: 1 }
    expect(edgeVersion(String(RPC_VERSION)).operation('cameras.list')('response', answer)).toBe(answer)
  })

  it.each([
    [RPC_VERSION - 2, `edge=${RPC_VERSION - 2} core=${RPC_VERSION}`, 'Upgrade the edge.'],
    [RPC_VERSION + 1, `edge=${RPC_VERSION + 1} core=${RPC_VERSION}`, 'Upgrade core.'],
    ['a line of a log', `edge=0 core=${RPC_VERSION}`, 'Upgrade the edge.'],
  ])('refuses an edge of version %s', (version, code, reason) => {
    expect(() => edgeVersion(String(version))).toThrow(VersionMismatch)
    const told = expect.objectContaining({ code, reason: expect.stringContaining(reason) })
    expect(() => edgeVersion(String(version))).toThrow(told)
  })
})

describe('dropUnknown', () => {
  it('keeps the properties of an object that may have any', () => {
    const known = { type: 'object', properties: { a: { type: 'object', additionalProperties: {} } } }
    const value = { a: { b: [{ c: 1 }] }, d: 2 }
    expect(dropUnknown(value, known, undefined)).toEqual(value)
    expect(dropUnknown(value, { ...known, additionalProperties: false }, undefined)).toEqual({ a: value.a })
  })

  it('gives the nearest earlier word for a later one, and leaves it out of lists', () => {
    const words = { enum: ['read', 'enrol', 'admin'] }
    expect(dropUnknown('manage', words, undefined)).toBe('enrol')
    expect(dropUnknown(['read', 'manage'], { items: words }, undefined)).toEqual(['read'])
  })

  it('trims elements of lists, and follows references', () => {
    const one = { type: 'object', properties: { id: {} }, additionalProperties: false }
    const list = { type: 'array', items: { $ref: '#/$defs/One' } }
    expect(dropUnknown([{ id: 1, more: 2 }, { id: 3 }], list, { One: one })).toEqual([{ id: 1 }, { id: 3 }])
  })
})
