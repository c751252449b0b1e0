/** Metrics of the state of core: shards, metadata, bucket, disk. They are read at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { BackupTimes } from '../metadata/audit-log/entries.ts'
import type { ShardState } from '../vector-store/vector-store.ts'

/** How to read the state of core. */
export interface StateProbes {
  shards(): Promise<readonly ShardState[]>
  /** Reject while the database, or the bucket, does not respond. `bucket` is undefined when pictures are in a folder. */
  database(): Promise<unknown>
  bucket?: () => Promise<unknown>
  /** Rejects while no replica confirms changes. Undefined when the database has no replica. */
  replica?: () => Promise<unknown>
  diskFree(): Promise<number>
  isDiskFull(): Promise<boolean>
  /** Vectors that faces lack because data was damaged. */
  missingVectors(): number
  /** When backups and drills ended. */
  backups(): Promise<BackupTimes>
}

/** Returns a function that registers a gauge. */
const gaugeIn =
  (registry: Registry) =>
  <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })

/** Registers the metrics, and returns a function that sets them to the present state. */
export function stateMetrics(registry: Registry, probes: StateProbes): () => Promise<void> {
  const setShards = shardMetrics(registry)
  const setBackups = backupMetrics(registry)
  const gauge = gaugeIn(registry)
  const databaseUp = gauge('mien_database_up', '1 while the metadata database responds.')
  const bucketUp = probes.bucket && gauge('mien_bucket_up', '1 while the bucket of pictures responds.')
  const replicaUp =
    probes.replica && gauge('mien_replica_up', '1 while a replica of the metadata database confirms changes.')
  const diskFree = gauge('mien_disk_free_bytes', 'Free bytes of the fullest disk of the service.')
  const diskFull = gauge('mien_disk_full', '1 while writes are refused because of a full disk.')
  const missing = gauge('mien_missing_vectors', 'Vectors that faces lack because data was damaged.')

  return async () => {
    const [shards, database, bucket, replica, free, full, backups] = await Promise.all([
      probes.shards(),
      responds(probes.database),
      probes.bucket && responds(probes.bucket),
      probes.replica && responds(probes.replica),
      probes.diskFree(),
      probes.isDiskFull(),
      // The database may not respond.
      probes.backups().catch(() => undefined),
    ])
    setShards(shards)
    databaseUp.set(database)
    if (bucket !== undefined) bucketUp?.set(bucket)
    if (replica !== undefined) replicaUp?.set(replica)
    diskFree.set(free)
    diskFull.set(full ? 1 : 0)
    missing.set(probes.missingVectors())
    if (backups) setBackups(backups)
  }
}

const responds = (probe: () => Promise<unknown>): Promise<0 | 1> =>
  probe().then(
    () => 1,
    () => 0,
  )

/** Registers the times of backups. A time that never was has no value. */
function backupMetrics(registry: Registry): (times: BackupTimes) => void {
  const gauges = {
    completed: ['mien_backup_last_success_timestamp_seconds', 'End of the last complete backup, Unix time.'],
    failed: ['mien_backup_last_failure_timestamp_seconds', 'End of the last failed backup, Unix time.'],
    drilled: [
      'mien_backup_drill_last_success_timestamp_seconds',
      'End of the last drill without a fault, Unix time.',
    ],
  } as const
  const gauge = gaugeIn(registry)
  const metrics = Object.entries(gauges).map(
    ([time, [name, help]]) => [time as keyof BackupTimes, gauge(name, help)] as const,
  )
  return times => {
    for (const [time, gauge] of metrics) {
      const micros = times[time]
      if (micros === undefined) gauge.remove()
      else gauge.set(micros / 1_000_000)
    }
  }
}

/** Registers the metrics of shards. The label `shard` is the place of the shard in the layout. */
function shardMetrics(registry: Registry): (shards: readonly ShardState[]) => void {
  const gauge = gaugeIn(registry)
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['shard'], registers: [registry] })
  const up = gauge('mien_shard_up', '1 while the shard is available.', ['shard'])
  const galleries = gauge('mien_shard_galleries', 'Galleries with vectors in this shard.', ['shard'])
  const vectors = gauge(
    'mien_shard_vectors',
    'Vectors by space: linear and preindex are outside of an index, indexed is inside.',
    ['shard', 'space'],
  )
  const unindexed = gauge(
    'mien_shard_unindexed_vectors',
    'Vectors outside of the index in galleries that have an index or are large enough for one.',
    ['shard'],
  )
  const building = gauge('mien_shard_index_builds', 'Galleries whose index is being built.', ['shard'])
  const commits = counter('mien_shard_commits_total', 'Group commits since the shard was opened.')
  const committed = counter(
    'mien_shard_committed_vectors_total',
    'Vectors that these commits added or removed.',
  )

  return shards => {
    // An unavailable shard has no numbers. The shards count from their own start: their totals replace the last ones.
    for (const metric of [galleries, vectors, unindexed, building, commits, committed]) metric.reset()
    for (const [number, { isAvailable, contents }] of shards.entries()) {
      const shard = String(number)
      up.set({ shard }, isAvailable ? 1 : 0)
      if (!contents) continue
      galleries.set({ shard }, contents.galleries)
      for (const space of ['linear', 'preindex', 'indexed'] as const)
        vectors.set({ shard, space }, contents[space])
      unindexed.set({ shard }, contents.unindexed)
      building.set({ shard }, contents.building)
      commits.inc({ shard }, contents.commits)
      committed.inc({ shard }, contents.committed)
    }
  }
}
