/** Writes JPEGs that common encoders do not: any sampling, restart markers, any colour space. Each block has one value. */

export interface Component {
  /** Sampling factors, 1 to 4. */
  across: number
  down: number
  /** Value of a block, -128..127. Column and row count the component's own blocks. */
  level(column: number, row: number): number
}

export interface JpegPlan {
  width: number
  height: number
  components: readonly Component[]
  /** Number of units between restart markers. */
  restart?: number
  /** Colour transform of Adobe's marker: 0 none, 1 YCbCr, 2 YCCK. No marker when absent. */
  adobe?: number
}

const BLOCK = 8

const segment = (marker: number, data: readonly number[]): number[] => [
  0xff,
  marker,
  (data.length + 2) >> 8,
  (data.length + 2) & 255,
  ...data,
]

/** The categories 0 to 11 of differences have their number as a code of four bits. The end of a block is the bit 0. */
const DIFFERENCES = [0x00, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...Array(12).keys()]
const ENDS = [0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

/** A baseline JPEG with one scan. */
export function baselineJpeg({ width, height, components, restart = 0, adobe }: JpegPlan): Uint8Array {
  const word = (value: number) => [value >> 8, value & 255]
  const frame = [8, ...word(height), ...word(width), components.length]
  const scan = [components.length]
  for (const [i, { across, down }] of components.entries()) {
    frame.push(i + 1, (across << 4) | down, 0)
    scan.push(i + 1, 0)
  }
  return Uint8Array.from([
    0xff,
    0xd8,
    ...(adobe === undefined ? [] : segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, adobe])),
    ...segment(0xdb, [0, ...Array(64).fill(BLOCK)]),
    ...segment(0xc0, frame),
    ...segment(0xc4, DIFFERENCES),
    ...segment(0xc4, ENDS),
    ...(restart > 0 ? segment(0xdd, word(restart)) : []),
    ...segment(0xda, [...scan, 0, 63, 0]),
    ...scanData({ width, height, components, restart }),
    0xff,
    0xd9,
  ])
}

function scanData({ width, height, components, restart = 0 }: JpegPlan): number[] {
  const across = Math.ceil(width / (BLOCK * Math.max(...components.map(one => one.across))))
  const down = Math.ceil(height / (BLOCK * Math.max(...components.map(one => one.down))))
  const bytes: number[] = []
  let bits = ''
  let before = components.map(() => 0)
  for (let unit = 0; unit < across * down; unit++) {
    if (restart > 0 && unit > 0 && unit % restart === 0) {
      bytes.push(...packed(bits), 0xff, 0xd0 + ((unit / restart - 1) % 8))
      bits = ''
      before = components.map(() => 0)
    }
    for (const [i, component] of components.entries()) {
      for (let block = 0; block < component.across * component.down; block++) {
        const column = (unit % across) * component.across + (block % component.across)
        const row = Math.floor(unit / across) * component.down + Math.floor(block / component.across)
        const level = Math.round(component.level(column, row))
        bits += `${differenceBits(level - before[i]!)}0`
        before[i] = level
      }
    }
  }
  return [...bytes, ...packed(bits)]
}

/** T.81, F.1.2.1: the category, and that number of bits. A negative difference is encoded as the bits of itself minus 1. */
function differenceBits(difference: number): string {
  const category = Math.abs(difference).toString(2).length * (difference === 0 ? 0 : 1)
  const low = difference < 0 ? difference + 2 ** category - 1 : difference
  return (
    category.toString(2).padStart(4, '0') + (category === 0 ? '' : low.toString(2).padStart(category, '0'))
  )
}

/** Bytes of the bits, padded with ones, with a zero after each 255. */
const packed = (bits: string): number[] =>
  (bits.match(/.{1,8}/g) ?? []).flatMap(eight => {
    const byte = Number.parseInt(eight.padEnd(8, '1'), 2)
    return byte === 255 ? [255, 0] : [byte]
  })
