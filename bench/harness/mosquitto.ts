/** Debian's mosquitto as a broker of its own, which can be killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './processes.ts'

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
  let child: ChildProcess | undefined
  let exited = Promise.resolve<unknown>(undefined)
  const broker: Broker = {
    port,
    async start() {
      const started = spawn('mosquitto', ['-c', config], {
        env: { ...process.env, PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      exited = new Promise(resolve => started.once('exit', resolve))
      let output = ''
      await new Promise<void>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk
          if (output.includes('running')) resolve()
        }
        started.stdout.on('data', read)
        started.stderr.on('data', read)
        started.once('exit', () => reject(new Error(`mosquitto has ended:\n${output}`)))
      })
    },
    async kill() {
      child?.kill('SIGKILL')
      await exited
    },
  }
  await broker.start()
  return broker
}
