/** Starts mosquitto of Debian as an MQTT broker that tests can kill. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Started, startUntil } from '../processes.ts'

const PATH = `${process.env.PATH}:/usr/sbin`

export const hasMosquitto =
  spawnSync('mosquitto', ['-h'], { env: { ...process.env, PATH } }).error === undefined

export interface Broker {
  port: number
  /** Kills it like a lost machine. Acknowledged messages are in its file. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a broker that stores its messages in the folder at once. `further` are lines of its configuration. */
export async function startBroker(folder: string, further: readonly string[]): Promise<Broker> {
  const port = await freePort()
  const lines = [
    `listener ${port} 127.0.0.1`,
    'persistence true',
    `persistence_location ${folder}/`,
    // Writes each change at once. By default a killed broker loses the last minutes.
    'autosave_on_changes true',
    'autosave_interval 1',
    'user root',
    ...further,
  ]
  const config = join(folder, 'mosquitto.conf')
  writeFileSync(config, `${lines.join('\n')}\n`)
  let started: Started | undefined
  const broker: Broker = {
    port,
    async start() {
      started = await startUntil('running', ['mosquitto', '-c', config], { env: { ...process.env, PATH } })
    },
    async kill() {
      started?.child.kill('SIGKILL')
      await started?.exited
    },
  }
  await broker.start()
  return broker
}
