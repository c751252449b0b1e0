/** A process of callers that add to a core over HTTP until they are stopped or their time ends. */
import { galleryPath } from '#contract/store-interface.ts'
import { childTask } from '../../child.ts'
import { after, cheapClient } from '../../load.ts'
import { type Adding, addUntil } from './adding.ts'

export interface AddingTask extends Adding {
  core: string
  /** Until they are stopped when absent. */
  seconds?: number
}

const { given, stopped, finish } = childTask<AddingTask>()
const ask = cheapClient(given.core, '')
const isOver = after(1000 * (given.seconds ?? Number.POSITIVE_INFINITY))
const added = await addUntil(
  () => stopped.aborted || isOver(),
  given,
  async (gallery, id, vector) => {
    const { status } = await ask({
      ...{ method: 'POST', path: galleryPath(gallery, 'add', id) },
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(vector.buffer),
    })
    if (status !== 200) throw new Error(`An add was answered by ${status}.`)
  },
)
finish(added)
