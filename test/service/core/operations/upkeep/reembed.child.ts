/** A conversion in its own process: `node reembed.child.ts DATA`. The process kills itself after the first addition to the next generation. */
import { flushCompileCache } from 'node:module'
import { reembed } from './reembedding.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

await reembed(process.argv[2]!, step => {
  if (step === 'next.add 1') process.kill(process.pid, 'SIGKILL')
})
