/** A load -> shards, cores, edges, memory, disk, money and latency, by what a face and a request were measured to cost. */
import { type Waits, waitForAll, waitForOne } from './queues.ts'

/** Milliseconds of one search in one shard: `fixedMs` and so much for each row of the gallery. */
export interface Line {
  fixedMs: number
  perRowMs: number
}

export interface Costs {
  ramBytesAFace: number
  /** Of a core with its networks and no faces. */
  ramBaseMb: number
  diskBytesAFace: number
  exact: Line
  indexed: Line
  embedMs: number
  /** Of the edge, for a request with a photo of the profile's size. */
  edgeMs: number
  /** From the edge to core and back, for a request with one face. */
  wireBytes: number
}

export interface Profile {
  faces: number
  /** The faces lie in them evenly; a search looks at one. */
  galleries: number
  searchesPerSecond: number
  postsPerSecond: number
  /** Places where callers and edges are; core is in one of them. */
  regions: number
}

/** What the operator assumes, for nobody measured it. */
export interface Assumptions {
  /** Processors and GB of one machine of core. */
  machineCpus: number
  machineRamGb: number
  /** No processor is to be busier than this. */
  utilisation: number
  /** Milliseconds that one shard may take for a search. */
  shardMs: number
  /** Milliseconds there and back between an edge and core, in one region and between two. */
  nearMs: number
  farMs: number
  /** A month each: a processor, a GB of memory, a GB of disk; and a GB between regions. */
  cpuPrice: number
  ramPrice: number
  diskPrice: number
  wirePrice: number
}

export const ASSUMPTIONS: Assumptions = {
  machineCpus: 16,
  machineRamGb: 64,
  utilisation: 0.6,
  shardMs: 25,
  nearMs: 1,
  farMs: 80,
  cpuPrice: 20,
  ramPrice: 3,
  diskPrice: 0.1,
  wirePrice: 0.05,
}

export interface Plan {
  shards: number
  /** Machines of core, and their processors at work on average. */
  machines: number
  coreCpus: number
  /** Processors of all edges. */
  edgeCpus: number
  ramGb: number
  diskGb: number
  /** Between edges and core, a month. */
  wireGb: number
  money: number
  searchMs: number
  identifyMs: number
  identifyP99Ms: number
}

/** Faces above which a gallery has an index, and shards that there are cells for. */
const INDEX_ABOVE = 200_000
const MOST_SHARDS = 1_024

/** Codes of a shard lie in one WebAssembly memory of 4 GB. */
const SHARD_BYTES = 4 * 2 ** 30

const MONTH_S = 30 * 86_400

/** Throws RangeError when no number of shards serves so many searches: nothing is replicated. */
export function planFor(profile: Profile, costs: Costs, assumed: Assumptions = ASSUMPTIONS): Plan {
  const { faces, searchesPerSecond, postsPerSecond, regions } = profile
  const rows = faces / profile.galleries
  const line = rows > INDEX_ABOVE ? costs.indexed : costs.exact
  const shards = shardsFor(profile, rows, line, costs, assumed)
  const shardMs = timeOf(line, rows / shards)
  const requests = searchesPerSecond + postsPerSecond

  const edgeCpus = Math.max(1, Math.ceil((requests * costs.edgeMs) / 1000 / regions / assumed.utilisation))
  const embedders = Math.max(1, Math.ceil((requests * costs.embedMs) / 1000 / assumed.utilisation))
  const coreCpus = (searchesPerSecond * shards * shardMs + requests * costs.embedMs) / 1000
  const ramOfFaces = (faces * costs.ramBytesAFace) / 1e9
  const machines = Math.max(
    Math.ceil(coreCpus / assumed.utilisation / assumed.machineCpus),
    Math.ceil(ramOfFaces / (assumed.utilisation * assumed.machineRamGb - costs.ramBaseMb / 1000)),
    1,
  )
  const ramGb = ramOfFaces + (machines * costs.ramBaseMb) / 1000
  const diskGb = (faces * costs.diskBytesAFace) / 1e9
  const wireGb = (requests * costs.wireBytes * MONTH_S) / 1e9

  const rtt = regions > 1 ? assumed.farMs : assumed.nearMs
  const stations: [serviceMs: number, waits: Waits][] = [
    [costs.edgeMs, waitForOne(requests / regions, costs.edgeMs, edgeCpus)],
    [costs.embedMs, waitForOne(requests, costs.embedMs, embedders)],
    [shardMs, waitForAll(searchesPerSecond, shardMs, shards)],
  ]
  const total = (wait: (waits: Waits) => number) =>
    stations.reduce((sum, [serviceMs, waits]) => sum + serviceMs + wait(waits), rtt)

  const cpus = Math.max(coreCpus / assumed.utilisation, machines) + edgeCpus * regions
  return {
    shards,
    machines,
    coreCpus,
    edgeCpus: edgeCpus * regions,
    ramGb,
    diskGb,
    wireGb,
    money:
      cpus * assumed.cpuPrice +
      (ramGb / assumed.utilisation) * assumed.ramPrice +
      diskGb * assumed.diskPrice +
      (regions > 1 ? wireGb * assumed.wirePrice : 0),
    searchMs: shardMs,
    identifyMs: total(({ meanMs }) => meanMs),
    identifyP99Ms: total(({ p99Ms }) => p99Ms),
  }
}

export const timeOf = ({ fixedMs, perRowMs }: Line, rows: number): number => fixedMs + perRowMs * rows

/** The line through two measurements. */
export function lineThrough(a: { rows: number; ms: number }, b: { rows: number; ms: number }): Line {
  const perRowMs = (b.ms - a.ms) / (b.rows - a.rows)
  return { perRowMs, fixedMs: Math.max(0, a.ms - perRowMs * a.rows) }
}

/** As few as have the memory, are quick enough, and keep up: each search asks all of them. */
function shardsFor(
  { faces, searchesPerSecond }: Profile,
  rows: number,
  line: Line,
  costs: Costs,
  { utilisation, shardMs }: Assumptions,
): number {
  const budgetMs = Math.min(shardMs, (1000 * utilisation) / Math.max(searchesPerSecond, 1e-9))
  const forRows = (line.perRowMs * rows) / (budgetMs - line.fixedMs)
  const shards = Math.max(1, Math.ceil(forRows), Math.ceil((faces * costs.ramBytesAFace) / SHARD_BYTES))
  if (budgetMs <= line.fixedMs || shards > MOST_SHARDS)
    throw new RangeError(
      `No ${MOST_SHARDS} shards serve ${searchesPerSecond} searches a second of ${rows} faces.`,
    )
  return shards
}
