import * as fc from 'fast-check'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'

const blobs = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 })

describe('decodeFrame', () => {
  it('returns the header and blobs of encodeFrame unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), blobs, (header, sent) => {
        const frame = decodeFrame(encodeFrame(header, sent))
        expect(frame.header).toEqual(JSON.parse(JSON.stringify(header)))
        expect(frame.blobs.map(blob => [...blob])).toEqual(sent.map(blob => [...blob]))
      }),
    )
  })

  it('refuses a frame truncated at any byte', () => {
    const frame = encodeFrame({ verb: 'enrol' }, [new Uint8Array(9), new Uint8Array(20)])
    for (let length = 0; length < frame.length; length++)
      expect(() => decodeFrame(frame.subarray(0, length))).toThrow()
  })

  it('refuses arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        expect(() => decodeFrame(bytes)).toThrow()
      }),
    )
  })
})
