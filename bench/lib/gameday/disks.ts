/** A small file system in memory for the folder of each part, which can be filled to its last byte. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'

const MEGABYTES = 256
const FILE = 'filled-by-others'

/** Mounts it on this folder. Returns the function that unmounts it. */
export function smallDisk(folder: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', folder], { stdio: 'pipe' })
  // Lazy: the file system disappears when its last file is closed.
  return () => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
}

/** `folder` contains the folders of all parts. */
export const fullDisk = (node: Node, folder: string): Fault => ({
  name: `disk of ${node.name} full`,
  async begin() {
    const file = join(folder, node.name, FILE)
    fill(file)
    // Other writers may free space meanwhile.
    const timer = setInterval(() => fill(file), 200)
    return async () => {
      clearInterval(timer)
      rmSync(file)
    }
  },
})

function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  const file = openSync(path, 'a')
  const bytes = Buffer.alloc(bsize, 1)
  try {
    for (let i = 0; i < bavail; i++) writeSync(file, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
