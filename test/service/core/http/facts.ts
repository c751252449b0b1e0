/** Facts about the service in tests. */
import type { ServiceFacts } from '#core/operations/upkeep/service-state.ts'

export const FACTS: ServiceFacts = {
  version: '1.2.3',
  pack: 'standard',
  embedder: 'colours-3',
  started: Date.UTC(2026, 0, 1),
  durations: async () => [],
}
