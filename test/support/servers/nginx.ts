/** Starts the installed nginx with a configuration of deploy/nginx, on a free port, with new certificates. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../processes.ts'

export const NGINX = process.env.NGINX_PATH ?? '/usr/sbin/nginx'

export const isInstalled = spawnSync(NGINX, ['-v']).status === 0

/** False without nginx, or without openssl, which makes the certificates. */
export const hasNginx = isInstalled && spawnSync('openssl', ['version']).status === 0

export const nginxFile = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'deploy', 'nginx', name), 'utf8')

export interface Nginx {
  origin: string
  port: number
  /** PEM of the server's certificate. Clients trust it, and clients of core also present it. */
  certificate: string
  key: string
  /** Waits until the access log has this many lines. nginx writes a line after the response is sent. */
  log(count: number): Promise<string[]>
  /** Result of `nginx -t` for the same files. */
  parsed(): { status: number | null; stderr: string }
  stop(): Promise<void>
}

/** Starts nginx in front of these upstreams, `host:port` each. Rejects with the messages of nginx when it does not start. */
export async function startNginx(name: string, upstreams: Upstreams): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'mien-nginx-'))
  const port = await freePort()
  const args = install(folder, name, placed(nginxFile(name), { ...upstreams, folder, port }))
  mkdirSync(join(folder, 'tls'))
  makeCertificates(join(folder, 'tls'))
  const child = spawn(NGINX, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', text => (complaint += text))
  await listening(port, child, () => complaint)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return {
    origin: `https://127.0.0.1:${port}`,
    port,
    certificate: read('tls/faces.pem'),
    key: read('tls/faces.key'),
    async log(count) {
      for (;;) {
        const lines = read(`log/${name.replace('.conf', '.log')}`)
          .split('\n')
          .slice(0, -1)
        if (lines.length >= count) return lines
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    parsed: () => spawnSync(NGINX, [...args, '-t'], { encoding: 'utf8' }),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise(resolve => child.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates the folder with the configuration, and returns the arguments of nginx. */
export function install(folder: string, name: string, conf: string): string[] {
  for (const name of ['conf.d', 'log', 'temporary']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'conf.d', name), conf)
  writeFileSync(join(folder, 'nginx.conf'), MAIN)
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'log', 'start.log')]
}

/** The main file, which includes the configuration. Under root the workers run as root too, because the folder admits its owner only. */
const MAIN = `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr;
events {}
http {
  client_body_temp_path temporary/body;
  proxy_temp_path temporary/proxy;
  fastcgi_temp_path temporary/fastcgi;
  uwsgi_temp_path temporary/uwsgi;
  scgi_temp_path temporary/scgi;
  include conf.d/*.conf;
}
`

export interface Upstreams {
  edges?: readonly string[]
  core: string
}

/** The configuration with these upstreams, and with its logs in the folder. */
export const before = (conf: string, { edges = [], core }: Upstreams, folder: string): string =>
  conf
    .replace(/server 127\.0\.0\.1:8787 ([^;]*);/, (_, bounds) =>
      edges.map(edge => `server ${edge} ${bounds};`).join(' '),
    )
    .replaceAll('127.0.0.1:8788', core)
    .replaceAll('/var/log/nginx/', `${folder}/log/`)

/** The configuration with other upstreams, another port and another folder, as an operator changes it. */
const placed = (conf: string, { folder, port, ...upstreams }: Upstreams & { folder: string; port: number }) =>
  before(conf, upstreams, folder)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/nginx/tls/', `${folder}/tls/`)

function makeCertificates(folder: string) {
  const [key, certificate] = [join(folder, 'faces.key'), join(folder, 'faces.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...made, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  })
  for (const [copy, of] of [
    ['core.key', key],
    ['core.pem', certificate],
    ['edges-ca.pem', certificate],
  ] as const)
    writeFileSync(join(folder, copy), readFileSync(of))
}

async function listening(port: number, child: ChildProcess, complaint: () => string) {
  while (child.exitCode === null) {
    const answers = await new Promise(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (answers) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`nginx ended with ${child.exitCode}: ${complaint()}`)
}
