/** nginx before the edges, by the file of deploy/nginx: as it is shipped, but for what the hosts of one machine do not have. */
import { before, install, NGINX, nginxFile, type Upstreams } from '../../test/deploy/nginx.ts'

/** What there is neither of: certificates, and clients with addresses of their own, of whom one is not to ask too much. */
const LEFT_OUT = /^\s*(ssl_\w+|limit_(conn|req)\w*|add_header Strict-Transport-Security) .*;\n/gm

/** The command that runs it on this port, with its files in the folder. Addresses are `host:port`. */
export function proxyCommand(folder: string, port: number, upstreams: Upstreams): string[] {
  const site = before(nginxFile('mien.conf'), upstreams, folder)
    .replace(LEFT_OUT, '')
    .replace('listen 443 ssl;', `listen ${port};`)
    // What went wrong with a request is to be read here, where nobody's is private.
    .replace('mien-errors.log crit', 'mien-errors.log info')
  return [NGINX, ...install(folder, 'mien.conf', site)]
}
