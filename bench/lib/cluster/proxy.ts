/** Runs nginx before the edges with the file of deploy/nginx, adapted to simulated hosts on one machine. */
import { before, install, NGINX, nginxFile, type Upstreams } from '../../harness/nginx.ts'

/**
 * Removed directives: certificates do not exist here, and all clients share one address, which the per-address limits
 * would block.
 */
const LEFT_OUT = /^\s*(ssl_\w+|limit_(conn|req)\w*|add_header Strict-Transport-Security) .*;\n/gm

/** The command that runs nginx on this port, with its files in the folder. Addresses are `host:port`. */
export function proxyCommand(folder: string, port: number, upstreams: Upstreams): string[] {
  const site = before(nginxFile('mien.conf'), upstreams, folder)
    .replace(LEFT_OUT, '')
    .replace('listen 443 ssl;', `listen ${port};`)
    // Errors of requests are logged for diagnosis. The benchmark has no private data.
    .replace('mien-errors.log crit', 'mien-errors.log info')
  return [NGINX, ...install(folder, 'mien.conf', site)]
}
