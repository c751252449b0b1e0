/** Preloaded into the service: its resolvers query a name server on loopback that never responds. */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const servers = [process.env.MIEN_BENCH_NAME_SERVER ?? '127.0.0.1:1']
const { Resolver } = dns.promises

dns.promises.Resolver = class extends Resolver {
  constructor(options?: dns.ResolverOptions) {
    super(options)
    this.setServers(servers)
  }
}
syncBuiltinESMExports()
