/** A full disk: additions are refused, searches work, and additions succeed when space is available. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { temporaryFolder } from '../folder.ts'
import { servedIds } from './served.ts'

/** File size limit of the child in blocks of 1,024 bytes. */
const BLOCKS = 3_000

it.skipIf(process.platform !== 'linux')(
  'openShard refuses changes on a full disk, answers searches, and accepts additions when space is available',
  { tags: 'long' },
  async () => {
    const folder = await temporaryFolder()
    const script = join(import.meta.dirname, 'full.child.ts')
    const command = `ulimit -S -f ${BLOCKS}; exec "$0" "$1" "$2"`
    const child = spawn('bash', ['-c', command, process.execPath, script, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value ?? '')

    const { kept, ...without } = await next()
    expect(without).toEqual({ refusal: 'full full full', found: 7, linear: kept, half: false })
    expect(kept).toBeGreaterThan(100)
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited'])
    child.stdin.write('room\n')
    expect(await next()).toEqual({
      refusal: 'done',
      kept: kept + 50,
      found: 7,
      linear: kept + 50,
      half: false,
    })
    expect(await once(child, 'exit')).toEqual([0, null])

    const damage: string[] = []
    const store = await openShard(folder, { onDamage: what => damage.push(what) })
    expect((await servedIds(store)).size).toBe(kept + 50)
    expect(damage).toEqual([])
    await store.close()
  },
)
