/** Starts an S3 server with a temporary folder: OpenStack Swift of Debian, if it is installed. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketKeys } from '#core/pictures/bucket/address.ts'
import { ASK_BOUNDS, bucketClient } from '#core/pictures/bucket/client.ts'
import { times } from '#test/support/times.ts'
import { listen } from '../processes.ts'

/** Kinds of servers. Each is a program: swift-proxy-server and others. */
const KINDS = ['account', 'container', 'object', 'proxy'] as const

const has = (program: string) => spawnSync('which', [program]).status === 0

export const hasSwift = KINDS.every(kind => has(`swift-${kind}-server`))

export const KEYS: BucketKeys = { accessKeyId: 'test:tester', secretAccessKey: 'testing-testing' }

export interface Swift {
  origin: string
  /** Creates a bucket and returns its name. */
  makeBucket(): Promise<string>
  stop(): Promise<void>
}

export async function startSwift(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'mien-swift-'))
  const ports = await freePorts(KINDS.length)
  mkdirSync(join(folder, 'devices', 'one'), { recursive: true })
  writeFileSync(join(folder, 'swift.conf'), SWIFT_CONF)
  const children: ChildProcess[] = []
  for (const [i, kind] of KINDS.entries()) {
    const port = ports[i]!
    const file = join(folder, `${kind}.conf`)
    writeFileSync(file, DEFAULTS(folder, port) + (kind === 'proxy' ? PROXY : STORAGE(kind)))
  }
  execFileSync('/usr/bin/python3', ['-c', MAKE_RINGS, folder, ...ports.map(String)], { stdio: 'pipe' })
  for (const kind of KINDS) {
    const file = join(folder, `${kind}.conf`)
    const args = ['-c', SERVE, `swift-${kind}-server`, file]
    children.push(spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], cwd: folder }))
  }
  const origin = `http://127.0.0.1:${ports[KINDS.indexOf('proxy')]}`
  let buckets = 0
  const clientOf = (bucket: string) =>
    bucketClient({ endpoint: origin, bucket, prefix: '', region: 'us-east-1' }, KEYS, {
      ...ASK_BOUNDS,
      attempts: 1,
    })
  const swift: Swift = {
    origin,
    async makeBucket() {
      const bucket = `faces-${buckets++}`
      await clientOf(bucket)({ method: 'PUT' })
      return bucket
    },
    async stop() {
      for (const child of children) {
        child.stdin?.end()
        if (child.exitCode === null) await new Promise(gone => child.once('exit', gone))
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  try {
    await answering(children, async () => {
      const content = { bytes: new Uint8Array(1), type: 'text/plain' }
      await clientOf(await swift.makeBucket())({ method: 'PUT', key: 'first', content })
    })
  } catch (error) {
    await swift.stop()
    throw error
  }
  return swift
}

/** Kills the server when its standard input is closed: also when the test process is killed. */
const SERVE = 'exec 3<&0; "$0" "$1" 3<&- & server=$!; (cat <&3; kill -9 $server) & wait $server'

/** Resolves when an object can be stored, which needs all four servers. */
async function answering(children: readonly ChildProcess[], store: () => Promise<void>) {
  for (;;) {
    const ended = KINDS.find((_, i) => children[i]!.exitCode !== null)
    if (ended) throw new Error(`swift-${ended}-server has ended.`)
    const isStored = await store().then(
      () => true,
      () => false,
    )
    if (isStored) return
    await sleep(50)
  }
}

/** Does the work of nine calls of swift-ring-builder, which take ten seconds of CPU. Debian's Swift runs on Debian's Python. */
const MAKE_RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for kind, port in zip(('account', 'container', 'object'), ports):
    ring = RingBuilder(2, 1, 0)
    ring.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='one', weight=1))
    ring.rebalance()
    ring.get_ring().save(f'{folder}/{kind}.ring.gz')
`

const SWIFT_CONF = `[swift-hash]
swift_hash_path_suffix = tests
[storage-policy:0]
name = one
default = yes
`

const DEFAULTS = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
log_address = ${join(folder, 'no-log')}
`

const STORAGE = (kind: string) => `[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

/** No limit of errors: with it, the proxy avoids a storage server that starts later for a minute. */
const PROXY = `[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${KEYS.secretAccessKey} .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 1000000
`

/** Free ports. Opens all of them before it closes one: they must differ. */
async function freePorts(count: number) {
  const servers = times(count, () => createServer())
  const ports = await Promise.all(servers.map(server => listen(server)))
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
