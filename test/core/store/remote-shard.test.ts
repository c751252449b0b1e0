/** A shard in another core: the shared suite over real HTTP, and answers that are no answers of a core. */
import { temporaryFolder } from '../folder.ts'
import { serveCore } from '../routes/served.ts'
import { openRemoteShard } from '../../../core/store/remote-shard.ts'
import { beforeEach } from 'vitest'
import { behavesAsAVectorStore } from './vector-store.suite.ts'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

behavesAsAVectorStore('a store in another core', async () => {
  const core = await serveCore({ data })
  return Object.assign(openRemoteShard(core.origin), { close: core.close })
})
