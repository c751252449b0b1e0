/** nginx of the cluster: the shipped configuration, with the cluster's edges and without settings that its hosts lack. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isInstalled, nginxFile } from '#bench/harness/nginx.ts'
import { proxyCommand } from '#bench/lib/cluster/cluster.ts'
import { temporaryFolder } from '../../core/folder.ts'

const UPSTREAMS = { edges: ['198.18.7.9:8787', '198.18.7.10:8787'], core: '198.18.7.6:8788' }

it.skipIf(!isInstalled)(
  'proxyCommand writes a valid nginx configuration that keeps the shipped limits and proxy settings',
  async () => {
    const folder = await temporaryFolder()
    const [program, ...args] = proxyCommand(folder, 38_080, UPSTREAMS) as [string, ...string[]]
    const { status, stderr } = spawnSync(program, [...args, '-t'], { encoding: 'utf8' })
    expect(stderr).toContain('test is successful')
    expect(status).toBe(0)

    const bare = (text: string) => text.replace(/^\s*#.*\n/gm, '')
    const site = bare(readFileSync(join(folder, 'conf.d', 'mien.conf'), 'utf8'))
    const shipped = bare(nginxFile('mien.conf'))
    const [, bounds] = /server 127\.0\.0\.1:8787 (.*;)/.exec(shipped)!
    for (const edge of UPSTREAMS.edges) expect(site).toContain(`server ${edge} ${bounds}`)
    expect(site).not.toMatch(/127\.0\.0\.1|\/etc\/nginx|\/var\/log|^\s*(ssl_|limit_(conn|req))/m)
    const passing = (text: string) => text.match(/^\s*proxy_(?!pass).*;$/gm)
    expect(passing(site)).toEqual(passing(shipped))
    expect(site).toContain('listen 38080;')
  },
)
