/** Metrics of a core that has no shards and whose other parts respond. */
import { type Metrics, type MetricsOptions, serviceMetrics } from '#core/metrics/metrics.ts'

export const quietMetrics = (changes: Partial<MetricsOptions['probes']> = {}, now?: () => number): Metrics =>
  serviceMetrics({
    version: '1.2.3',
    pack: 'standard',
    ...(now && { now }),
    probes: {
      shards: async () => [],
      database: async () => {},
      diskFree: async () => 2 ** 40,
      isDiskFull: async () => false,
      missingVectors: () => 0,
      backups: async () => ({
        requested: undefined,
        started: undefined,
        completed: undefined,
        failed: undefined,
        drilled: undefined,
      }),
      ...changes,
    },
  })
