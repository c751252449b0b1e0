/** The recipes of docs/mqtt.md. Skipped without mosquitto and jq. */

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { bridging, newOwner } from '../watching.ts'
import { testBroker } from './mosquitto.ts'

const page = readFileSync(join(ROOT, 'docs', 'mqtt.md'), 'utf8')
const section = (title: string) => page.split(/^## /m).find(part => part.startsWith(title)) ?? ''
const code = (title: string, language: string) =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section(title))?.[1] ?? ''

const hasTools =
  hasMosquitto && ['mosquitto_sub', 'jq'].every(tool => spawnSync(tool, ['--help']).error === undefined)

describe('the recipes', () => {
  it.skipIf(!hasTools)(
    'in the shell prints a line for each face',
    { tags: ['long', 'mosquitto'] },
    async () => {
      const broker = await testBroker()
      const owner = newOwner('read')
      const door = await owner.camera({ meta: 'front door' })
      const shell = spawn('sh', ['-c', code('Shell', 'sh')], {
        env: { ...process.env, PORT: String(broker.port) },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      onTestFinished(() => void process.kill(-shell.pid!, 'SIGKILL'))
      let output = ''
      shell.stdout.on('data', chunk => (output += chunk))
      await bridging(owner, broker.url).line('service connected')
      await owner.post(door)
      await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^\d{4}-\S+Z\tfront door\tunknown\n/)
    },
  )

  it('of Node-RED is a flow whose nodes are connected, and shows each known person once', () => {
    const flow: { id: string; type: string; wires?: string[][]; func?: string }[] = JSON.parse(
      code('Node-RED', 'json'),
    )
    const ids = flow.map(({ id }) => id)
    for (const next of flow.flatMap(({ wires = [] }) => wires.flat())) expect(ids).toContain(next)
    const run = new Function('msg', 'context', flow.find(({ type }) => type === 'function')!.func!)
    const kept = new Map<string, unknown>()
    const payload = { id: '1', event_type: 'known', person: { name: 'Ann' }, camera: { name: 'door' } }
    expect(run({ payload }, kept)).toMatchObject({ payload: 'Ann is at door.' })
    expect(run({ payload }, kept)).toBeNull()
    expect(run({ payload: { ...payload, id: '2', event_type: 'unknown' } }, kept)).toBeNull()
  })
})
