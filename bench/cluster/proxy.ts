/** nginx before the edges, by the file of deploy/nginx: as it is shipped, but for what the hosts of one machine do not have. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NGINX = process.env.NGINX_PATH ?? '/usr/sbin/nginx'
const SHIPPED = join(import.meta.dirname, '..', '..', 'deploy', 'nginx', 'mien.conf')

export const hasNginx = (): boolean => spawnSync(NGINX, ['-v']).status === 0

/** What there is neither of: certificates, and clients with addresses of their own, of whom one is not to ask too much. */
const LEFT_OUT = /^\s*(ssl_\w+|limit_(conn|req)\w*|add_header Strict-Transport-Security) .*;\n/gm

/** The command that runs it on this port, with its files in the folder. Addresses are `host:port`. */
export function proxyCommand(
  folder: string,
  port: number,
  { edges, core }: { edges: readonly string[]; core: string },
): string[] {
  mkdirSync(join(folder, 'temporary'), { recursive: true })
  const servers = (_: string, bounds: string) => edges.map(edge => `server ${edge} ${bounds};`).join('\n    ')
  const site = readFileSync(SHIPPED, 'utf8')
    .replace(LEFT_OUT, '')
    .replace('listen 443 ssl;', `listen ${port};`)
    .replace(/server 127\.0\.0\.1:8787 ([^;]*);/, servers)
    .replaceAll('127.0.0.1:8788', core)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    // What went wrong with a request is to be read here, where nobody's is private.
    .replace('mien-errors.log crit', 'mien-errors.log info')
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(join(folder, 'nginx.conf'), main(join(folder, 'temporary')))
  return [NGINX, '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'start.log')]
}

/** Around it, what a distribution's nginx.conf has. As root, its workers have to be let into the folder. */
const main = (temporary: string): string => `user root;
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr;
events {}
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `  ${kind}_temp_path ${temporary}/${kind};`).join('\n')}
  include site.conf;
}
`
