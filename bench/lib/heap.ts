/** The heap of a Node.js process, by the inspector that SIGUSR1 opens. The process needs `--inspect-port=0`. */
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Heap {
  /** Bytes of objects that a collection leaves. */
  used(): Promise<number>
  /** Writes a snapshot, which has all strings of the process in it. */
  write(path: string): Promise<void>
  close(): void
}

/** Opens the inspector of a process. `output` returns what it has printed, which names the address. */
export async function openHeap(pid: number, output: () => string): Promise<Heap> {
  process.kill(pid, 'SIGUSR1')
  let url: string | undefined
  while (!url) {
    await sleep(100)
    url = /Debugger listening on (ws:\S+)/.exec(output())?.[1]
  }
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const answers = new Map<number, (result: Record<string, number>) => void>()
  let onChunk = (_: string): void => {}
  socket.onmessage = ({ data }) => {
    const { id, method, params, result } = JSON.parse(data)
    if (method === 'HeapProfiler.addHeapSnapshotChunk') onChunk(params.chunk)
    answers.get(id)?.(result)
    answers.delete(id)
  }
  let calls = 0
  const call = (method: string) =>
    new Promise<Record<string, number>>(resolve => {
      answers.set(++calls, resolve)
      socket.send(JSON.stringify({ id: calls, method }))
    })
  return {
    async used() {
      await call('HeapProfiler.collectGarbage')
      const {
        usedSize = 0,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await call('Runtime.getHeapUsage')
      return usedSize + embedderHeapUsedSize + backingStorageSize
    },
    async write(path) {
      const file = createWriteStream(path, { mode: 0o600 })
      onChunk = chunk => file.write(chunk)
      await call('HeapProfiler.takeHeapSnapshot')
      await new Promise(resolve => file.end(resolve))
    },
    close: () => socket.close(),
  }
}
