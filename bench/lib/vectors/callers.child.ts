/** A process of callers that add to a core over HTTP until a message stops them or their time ends. */
import { Agent, request } from 'node:http'
import { galleryPath } from '#contract/store-interface.ts'
import { type Calling, callAll } from './callers.ts'
import { respond, task } from './child.ts'

export interface CallersTask extends Pick<Calling, 'callers' | 'dimension' | 'run' | 'rate'> {
  core: string
  seconds?: number | undefined
}

const { core, seconds, ...calling } = task<CallersTask>()
const agent = new Agent({ keepAlive: true, maxSockets: calling.callers })
const { hostname, port } = new URL(core)
const end = performance.now() + 1000 * (seconds ?? Number.POSITIVE_INFINITY)
let stopped = false
process.on('message', () => {
  stopped = true
})
process.on('disconnect', () => process.exit(1))
respond(await callAll({ ...calling, add, isOver: () => stopped || performance.now() > end }))

function add(gallery: string, id: number, vector: Float32Array): Promise<void> {
  const body = new Uint8Array(vector.buffer)
  const headers = { 'content-type': 'application/octet-stream', 'content-length': body.length }
  const path = galleryPath(gallery, 'add', id)
  return new Promise((resolve, reject) => {
    const addRequest = request({ agent, hostname, port, method: 'POST', path, headers }, answer => {
      answer.resume()
      if (answer.statusCode === 200) answer.once('end', resolve)
      else reject(new Error(`An add was answered by ${answer.statusCode}.`))
    })
    addRequest.once('error', reject)
    addRequest.end(body)
  })
}
