/** Connects `mien mqtt` with the service and the broker, and runs it until a signal. */
import { runBridge } from '../../camera/mqtt/bridge.ts'
import { logToStdout } from '../../core/log.ts'
import type { ServiceOptions } from '../api/options.ts'
import { stopOnSignal } from '../terminal/command-line.ts'
import { clientOf } from '../terminal/connection.ts'
import { installedVersion } from '../terminal/paths.ts'
import { type BrokerOptions, brokerOf } from './broker-options.ts'

interface MqttOptions extends ServiceOptions, BrokerOptions {
  broker?: string
  topic: string
  /** Prefix; false without discovery. */
  discovery: string | false
  names: boolean
  pictures: boolean
  footage?: boolean
  presence?: number[]
}

const CAMERAS_EVERY_MS = 30_000
const CHECK_EVERY_MS = 10 * 60_000

/** Runs until SIGINT or SIGTERM. A second signal ends the process at once. */
export async function runMqtt(options: MqttOptions): Promise<number> {
  const { topic, discovery, names, pictures, footage = false, presence = [] } = options
  const broker = await brokerOf('--broker', options.broker ?? process.env.MIEN_MQTT_BROKER, options)
  const client = await clientOf(options)
  await runBridge(
    client,
    {
      broker,
      topic,
      ...(discovery !== false && { discovery }),
      version: installedVersion(),
      privacy: { names, pictures, footage },
      presence,
      camerasEveryMs: CAMERAS_EVERY_MS,
      checkEveryMs: CHECK_EVERY_MS,
    },
    logToStdout,
    stopOnSignal().signal,
  )
  return 0
}
