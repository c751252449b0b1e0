/** Measures recall and time of searches among many faces, exact and with an index, compared with peers. */
import { benchmark, kept, numbers, progress } from '../benchmark.ts'
import { openPostgres } from '../lib/peers/postgres.ts'
import { besideUsearch, type Comparison, figuresOf } from '../lib/vectors/comparison.ts'
import { type HeldFaces, openShards, plainScan, searchByTurns } from '../lib/vectors/contestants.ts'
import { syntheticFaces } from '../lib/vectors/synthetic.ts'
import { truthOf } from '../lib/vectors/truth.ts'
import { type Rig, withRig } from '../rig.ts'
import { timesOf } from '../statistics.ts'

/** Above this size, rows are streamed to our shards only: they do not fit into one array, nor into memory with the peers. */
const HELD_BYTES = 2.1e9

interface Peers {
  peers: string
  'usearch-m': string
}

export default benchmark({
  description: 'sequential searches among many faces: milliseconds and recall, compared with peers',
  options: {
    sizes: '10000,100000',
    dimensions: '160',
    /** Any of js, usearch and postgres (MIEN_TEST_POSTGRES), or none. */
    peers: 'js,usearch',
    /** Connectivities of usearch's graph. A graph of a million vectors takes ten minutes to build, or longer. */
    'usearch-m': '16,32',
  },
  async run({ sizes, dimensions, ...peers }) {
    const measured: Comparison[] = []
    for (const dimension of numbers(dimensions))
      for (const faces of numbers(sizes))
        measured.push(await withRig(rig => compare(dimension, faces, peers, rig)))
    return { sizes: await besideKept(measured) }
  },
})

async function compare(dimension: number, count: number, asked: Peers, rig: Rig): Promise<Comparison> {
  progress(`${count} faces x ${dimension}`)
  const faces = syntheticFaces(dimension, count)
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
  const probes = faces.probes()
  const contestants = [
    ...(await shards.ready()),
    ...(rows ? await openPeers({ dimension, count, rows }, asked, rig) : []),
  ]
  const figures = figuresOf(await searchByTurns(contestants, probes), probes, truth)
  const beside = besideUsearch(figures)
  progress('searches while the index is made once more')
  return {
    ...{ dimension, faces: count, date: new Date().toISOString(), contestants: figures },
    ...(beside && { besideUsearch: beside }),
    whileMaking: timesOf(await shards.searchWhileMaking(probes), 3),
  }
}

async function openPeers(held: HeldFaces, { peers, ...settings }: Peers, rig: Rig) {
  const asked = peers.split(',')
  const opened = asked.includes('js') ? [plainScan(held)] : []
  if (asked.includes('usearch')) {
    // A native library, which only this peer needs.
    const { openUsearch } = await import('../lib/peers/usearch.ts')
    opened.push(...(await openUsearch(held, numbers(settings['usearch-m']))))
  }
  if (asked.includes('postgres')) opened.push(...(await openPostgres(held, rig)))
  return opened
}

/** Merges new figures into the kept ones. A run with PostgreSQL does not replace a run without it. */
async function besideKept(measured: readonly Comparison[]): Promise<Comparison[]> {
  const { sizes } = (await kept<{ sizes: Comparison[] }>('recall')) ?? { sizes: [] }
  const key = ({ dimension, faces, contestants }: Comparison) =>
    `${dimension} ${faces} ${contestants.some(({ name }) => name.startsWith('PostgreSQL'))}`
  const all = new Map([...sizes, ...measured].map(size => [key(size), size]))
  return [...all.values()].sort((a, b) => a.dimension - b.dimension || a.faces - b.faces)
}
