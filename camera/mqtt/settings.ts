/** Settings of the bridge. */
import type { Broker } from './broker/connection.ts'
import type { Privacy } from './sighting.ts'

export interface BridgeSettings {
  broker: Broker
  /** Base topic. */
  topic: string
  /** Prefix of Home Assistant's discovery. Absent: no discovery. */
  discovery?: string
  /** Version of Mien. */
  version: string
  privacy: Privacy
  /** Milliseconds between two readings of the list of cameras, and between two checks for deleted faces. */
  camerasEveryMs: number
  checkEveryMs: number
}
