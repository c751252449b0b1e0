/** Measures recall and time of searches among many faces, exact and with an index, compared with peers. */
import { kept, numbers, type Outcome, progress } from '../benchmark.ts'
import {
  besideUsearch,
  type Comparison,
  comparisonTable,
  figuresOf,
  timesOf,
} from '../lib/vectors/comparison.ts'
import type { HeldFaces, Peer } from '../lib/vectors/contestant.ts'
import { openEngine } from '../lib/vectors/engine.ts'
import { searchByTurns } from '../lib/vectors/rounds.ts'
import { openShards, type Shards } from '../lib/vectors/shards.ts'
import { type SyntheticFaces, syntheticFaces } from '../lib/vectors/synthetic.ts'
import { type Truth, truthOf } from '../lib/vectors/truth.ts'

export const description =
  'sequential searches among many faces: milliseconds and recall, compared with peers'

/** Results of several sizes are kept. A run replaces the sizes that it measures. */
export const options = {
  sizes: { type: 'string' },
  dimensions: { type: 'string' },
  /** Any of js, usearch, pglite and postgres (MIEN_TEST_POSTGRES), or none. */
  peers: { type: 'string' },
  /**
   * Connectivity of usearch's graph. A graph of a million vectors takes ten minutes to build, and longer with a
   * higher value.
   */
  'usearch-m': { type: 'string' },
  /** Maximum number of faces for PGlite, whose index takes long to build. */
  'pglite-up-to': { type: 'string' },
} as const

type Values = Partial<Record<keyof typeof options, string>>

/**
 * Above this size, rows are streamed to our shards only: they do not fit into one array, and memory lacks space for
 * the peers.
 */
const HELD_BYTES = 2.1e9

export async function run(values: Values): Promise<Outcome> {
  const measured: Comparison[] = []
  for (const dimension of numbers(values.dimensions ?? '160')) {
    for (const faces of numbers(values.sizes ?? '10000,100000')) {
      measured.push(await compare(dimension, faces, values))
    }
  }
  return {
    table: measured.map(comparisonTable).join('\n\n\n'),
    result: { sizes: await besideKept(measured) },
  }
}

async function compare(dimension: number, count: number, values: Values): Promise<Comparison> {
  progress(`${count} faces x ${dimension}`)
  const faces = syntheticFaces(dimension, count)
  const truth = truthOf(faces, dimension)
  const shards = await openShards(dimension)
  const peers: Peer[] = []
  try {
    const rows = await fill(shards, truth, faces, dimension, count)
    const probes = faces.probes()
    peers.push(await shards.ready())
    if (rows) peers.push(...(await openPeers({ dimension, count, rows }, values)))
    const searched = await searchByTurns(
      peers.flatMap(({ contestants }) => contestants),
      probes,
    )
    const contestants = figuresOf(searched, probes, truth)
    const beside = besideUsearch(contestants)
    progress('  searches while the index is made once more')
    const whileMaking = timesOf(await shards.searchWhileMaking(probes))
    const date = new Date().toISOString()
    return {
      dimension,
      faces: count,
      date,
      contestants,
      ...(beside && { besideUsearch: beside }),
      whileMaking,
    }
  } finally {
    for (const peer of peers) await peer.close?.()
    await shards.close()
  }
}

/** Adds all rows to the shards. Resolves with the rows unless they exceed HELD_BYTES. */
async function fill(
  shards: Shards,
  truth: Truth,
  faces: SyntheticFaces,
  dimension: number,
  count: number,
): Promise<Float32Array | undefined> {
  const held = 4 * count * dimension <= HELD_BYTES ? new Float32Array(count * dimension) : undefined
  let row = 0
  for (const piece of faces.rows()) {
    truth.note(row, piece)
    held?.set(piece, row * dimension)
    await shards.add(row, piece)
    row += piece.length / dimension
    if (row % 100_000 === 0) progress(`  ${row} of ${count} faces are added`)
  }
  return held
}

/** Loads the requested peers lazily: two of them are native or large. */
async function openPeers(
  held: HeldFaces,
  { peers = 'js,usearch,pglite', ...values }: Values,
): Promise<Peer[]> {
  const requested = new Set(peers.split(','))
  const opened = [await openEngine(held)]
  if (requested.has('js')) opened.push((await import('../lib/peers/plain-scan.ts')).openPlainScan(held))
  if (requested.has('usearch')) {
    const { CONNECTIVITIES, openUsearch } = await import('../lib/peers/usearch.ts')
    opened.push(await openUsearch(held, numbers(values['usearch-m'] ?? CONNECTIVITIES)))
  }
  if (requested.has('pglite') && held.count <= Number(values['pglite-up-to'] ?? 10_000)) {
    opened.push(await (await import('../lib/peers/pgvector.ts')).openPgvector(held))
  }
  if (requested.has('postgres'))
    opened.push(await (await import('../lib/peers/postgres.ts')).openPostgres(held))
  return opened
}

/** Merges new figures into the kept ones. A run with PostgreSQL does not replace a run without it. */
async function besideKept(measured: readonly Comparison[]): Promise<Comparison[]> {
  const { sizes = [] } = ((await kept('recall')) ?? {}) as { sizes?: Comparison[] }
  const key = ({ dimension, faces, contestants }: Comparison) =>
    `${dimension} ${faces} ${contestants.some(({ name }) => name.startsWith('PostgreSQL'))}`
  const all = new Map([...sizes, ...measured].map(size => [key(size), size]))
  return [...all.values()].sort((a, b) => a.dimension - b.dimension || a.faces - b.faces)
}
