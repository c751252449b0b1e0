/** The script of docs/mqtt.md. Skipped without mosquitto and jq. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { newOwner, startBridge } from '../watching.ts'
import { testBroker } from './mosquitto.ts'

const page = readFileSync(join(ROOT, 'docs', 'mqtt.md'), 'utf8')
const script = /^## Shell[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page)![1]!

const hasTools =
  hasMosquitto && ['mosquitto_sub', 'jq'].every(tool => spawnSync(tool, ['--help']).error === undefined)

it.skipIf(!hasTools)('the script prints a line for each face', { tags: ['long', 'mosquitto'] }, async () => {
  const broker = await testBroker()
  const owner = newOwner('read')
  const door = await owner.camera({ meta: 'front door' })
  const shell = spawn('sh', ['-c', script], {
    env: { ...process.env, PORT: String(broker.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => void process.kill(-shell.pid!, 'SIGKILL'))
  let output = ''
  shell.stdout.on('data', chunk => (output += chunk))
  await startBridge(owner, broker.url).line('service connected')
  await owner.post(door)
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^\d{4}-\S+Z\tfront door\tunknown\n/)
})
