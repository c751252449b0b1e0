/** Debian's mosquitto as a broker of its own, which can be killed. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Started, startUntil } from './processes.ts'

const PATH = `${process.env.PATH}:/usr/sbin`

export const hasMosquitto =
  spawnSync('mosquitto', ['-h'], { env: { ...process.env, PATH } }).error === undefined

export interface Broker {
  port: number
  /** Ends it as a lost machine does. What it acknowledged is in its file. */
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
    // Each change is written: a killed broker otherwise forgets the last minutes.
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
