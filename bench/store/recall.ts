/** Measures recall and time of searches among many faces, exact and with an index, and of PostgreSQL. */
import { benchmark, kept, numbers, progress } from '../benchmark.ts'
import {
  EXACT,
  type Made,
  openShards,
  plainScan,
  REFERENCE,
  type Searched,
  searchByTurns,
} from '../lib/vectors/contestants.ts'
import { openPostgres } from '../lib/vectors/postgres.ts'
import { syntheticFaces } from '../lib/vectors/synthetic.ts'
import { recallOf, type Truth, truthOf } from '../lib/vectors/truth.ts'
import { type Rig, withRig } from '../rig.ts'
import { fixed, type Times, timesOf } from '../statistics.ts'

/** Above this size, rows are streamed to our shards only: they do not fit into one array, nor into memory with the peers. */
const HELD_BYTES = 2.1e9

interface Figures extends Times {
  name: string
  hit: number
  /** Absent for a contestant that would be compared with its own results. */
  recall10?: number
  made?: Made
}

/** Results for one population. All contestants have the same faces. */
interface Comparison {
  dimension: number
  faces: number
  even: boolean
  date: string
  contestants: Figures[]
}

export default benchmark({
  description: 'sequential searches among many faces: milliseconds and recall',
  options: {
    sizes: '10000,100000',
    dimensions: '128',
    /** Gives every value equal weight, as networks other than the standard one do. */
    even: false,
    /** Any of js (a plain scan, which checks the exact search) and postgres (MIEN_TEST_POSTGRES), or none. */
    peers: 'js',
  },
  async run({ sizes, dimensions, even, peers }) {
    const measured: Comparison[] = []
    for (const dimension of numbers(dimensions))
      for (const faces of numbers(sizes))
        measured.push(await withRig(rig => compare(dimension, faces, even, peers, rig)))
    return { sizes: await besideKept(measured) }
  },
})

async function compare(
  dimension: number,
  count: number,
  even: boolean,
  peers: string,
  rig: Rig,
): Promise<Comparison> {
  progress(`${count} faces x ${dimension}`)
  const faces = syntheticFaces(dimension, count, even)
  const truth = truthOf(faces, dimension)
  const shards = await openShards(dimension, rig)
  const rows = 4 * count * dimension <= HELD_BYTES ? new Float32Array(count * dimension) : undefined
  let row = 0
  for (const piece of faces.rows()) {
    truth.note(row, piece)
    rows?.set(piece, row * dimension)
    await shards.add(row, piece)
    row += piece.length / dimension
    if (row % 100_000 === 0) progress(`${row} of ${count} faces are added`)
  }
  const held = rows && { dimension, count, rows }
  const probes = faces.probes()
  const contestants = [
    ...(await shards.ready()),
    ...(held && peers.includes('js') ? [plainScan(held)] : []),
    ...(held && peers.includes('postgres') ? await openPostgres(held, rig) : []),
  ]
  const figures = figuresOf(await searchByTurns(contestants, probes), probes, truth)
  return { dimension, faces: count, even, date: new Date().toISOString(), contestants: figures }
}

function figuresOf(all: readonly Searched[], probes: Float32Array, truth: Truth): Figures[] {
  const answersOf = (name: string) => all.find(({ contestant }) => contestant.name === name)?.found
  const [right, exact] = [answersOf(REFERENCE), answersOf(EXACT)]
  const reference = exact?.map((ids, probe) => right?.[probe] ?? ids) ?? []
  // A contestant's own results cannot verify it.
  const referenceOf = (name: string) => (name === EXACT ? (right ?? []) : reference)
  return all.map(({ contestant: { name, made }, found, times }) => {
    const recall = recallOf(found, referenceOf(name))
    return {
      name,
      ...timesOf(times, 3),
      hit: fixed(truth.hitOf(probes, found), 4),
      ...(Number.isFinite(recall) && { recall10: fixed(recall, 4) }),
      ...(made && {
        made: { ...made, cpuSeconds: fixed(made.cpuSeconds, 2), wallSeconds: fixed(made.wallSeconds, 2) },
      }),
    }
  })
}

/** Merges new figures into the kept ones. A run with PostgreSQL does not replace a run without it. */
async function besideKept(measured: readonly Comparison[]): Promise<Comparison[]> {
  const { sizes } = (await kept<{ sizes: Comparison[] }>('recall')) ?? { sizes: [] }
  const key = ({ dimension, faces, even, contestants }: Comparison) =>
    `${dimension} ${faces} ${even} ${contestants.some(({ name }) => name.startsWith('PostgreSQL'))}`
  const all = new Map([...sizes, ...measured].map(size => [key(size), size]))
  return [...all.values()].sort((a, b) => a.dimension - b.dimension || a.faces - b.faces)
}
