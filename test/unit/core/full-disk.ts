/** A small file system for a test, which can be filled to its last byte. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const KIB = 1_024

/** Whether this process may mount a file system in memory. Tests that need one are skipped otherwise. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mien-mount-'))
  try {
    mount(folder, 1)
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mount = (folder: string, megabytes: number) =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    stdio: 'ignore',
  })

export interface SmallDisk {
  folder: string
  /** Writes a file of this name until at most `leave` bytes are free, 0 by default. */
  fill(name: string, leave?: number): void
  remove(name: string): void
  free(): number
}

/** Mounts a file system of this size, and unmounts it with the test. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'mien-full-'))
  mount(folder, megabytes)
  onTestFinished(() => {
    // Lazy: the file system disappears when its last file is closed.
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    free,
    remove: name => rmSync(join(folder, name)),
    fill(name, leave = 0) {
      const file = openSync(join(folder, name), 'w')
      const bytes = Buffer.alloc(4 * KIB, 1)
      try {
        while (free() > leave) writeSync(file, bytes)
      } finally {
        closeSync(file)
      }
    },
  }
}
