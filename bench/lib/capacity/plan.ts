/** Plans a load: shards, cores, edges, memory, disk, cost and latency from measured costs per face and request. */
import { type Waits, waitForAll, waitForOne } from './queues.ts'

/** Milliseconds of one search in one shard: `fixedMs` plus `perRowMs` for each row of the gallery. */
export interface Line {
  fixedMs: number
  perRowMs: number
}

export interface Costs {
  ramBytesAFace: number
  /** Memory of a core with its networks and without faces. */
  ramBaseMb: number
  diskBytesAFace: number
  exact: Line
  indexed: Line
  embedMs: number
  /** CPU time of the edge for a request with a photo of the profile's size. */
  edgeMs: number
  /** Bytes between edge and core, both directions, for a request with one face. */
  wireBytes: number
}

export interface Profile {
  faces: number
  /** Number of galleries. Faces are distributed evenly; a search uses one gallery. */
  galleries: number
  searchesPerSecond: number
  postsPerSecond: number
  /** Regions with callers and edges. Core runs in one of them. */
  regions: number
}

/** Assumptions of the operator. These values are not measured. */
export interface Assumptions {
  /** CPUs and memory in GB of one core machine. */
  machineCpus: number
  machineRamGb: number
  /** Maximum utilisation of a CPU. */
  utilisation: number
  /** Maximum milliseconds of a search in one shard. */
  shardMs: number
  /** Round-trip milliseconds between an edge and core, within a region and between two regions. */
  nearMs: number
  farMs: number
  /** Prices per month: a CPU, a GB of memory, a GB of disk; and the price of a GB between regions. */
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
  /** Core machines, and their mean number of busy CPUs. */
  machines: number
  coreCpus: number
  /** CPUs of all edges. */
  edgeCpus: number
  ramGb: number
  diskGb: number
  /** GB between edges and core per month. */
  wireGb: number
  money: number
  searchMs: number
  identifyMs: number
  identifyP99Ms: number
}

/** Number of faces above which a gallery has an index; maximum number of shards, limited by the cells. */
const INDEX_ABOVE = 200_000
const MOST_SHARDS = 1_024

/** Maximum bytes of a shard's codes: one WebAssembly memory of 4 GB. */
const SHARD_BYTES = 4 * 2 ** 30

const MONTH_S = 30 * 86_400

/** Throws a RangeError when no number of shards can serve the searches: shards are not replicated. */
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

/** The least number of shards that satisfies memory, latency and throughput. Every search queries all shards. */
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
