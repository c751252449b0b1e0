/** A small file system of a test's own, which can be filled to its last byte. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const KIB = 1_024

/** Whether this process may mount a file system in memory. A test that needs one is skipped otherwise. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mien-mount-'))
  try {
    mount(folder, 1)
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    process.stdout.write('skipped: a file system cannot be mounted here.\n')
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mount = (folder: string, megabytes: number): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    stdio: 'ignore',
  })

export interface SmallDisk {
  folder: string
  /** Writes a file of this name until no byte is left, or so many bytes. */
  fill(name: string, leave?: number): void
  remove(name: string): void
  free(): number
}

/** A file system of so many megabytes, unmounted with the test. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'mien-full-'))
  mount(folder, megabytes)
  onTestFinished(() => {
    // Detached at once, gone when the last file is closed.
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
