/** A shard in another core: the shared suite over real HTTP, and answers that are no answers of a core. */
import { beforeEach } from 'vitest'
import { openVectorStore } from '../../../core/store/open.ts'
import { openRemoteShard } from '../../../core/store/remote-shard.ts'
import { temporaryFolder } from '../folder.ts'
import { serveStore } from '../routes/served.ts'
import { behavesAsAVectorStore } from './vector-store.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

behavesAsAVectorStore('a store in another core', async () => {
  const vectors = await openVectorStore(folder)
  const core = await serveStore(vectors)
  return Object.assign(openRemoteShard(core.origin), {
    async close() {
      await core.close()
      await vectors.close()
    },
  })
})
