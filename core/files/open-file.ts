/** Detects that an open file was removed, moved or replaced on the disk. */
import { statSync } from 'node:fs'

/** Returns a check that is true while the same file is at this path. The file must exist at the call. */
export function isStillOpenFile(path: string): () => boolean {
  const opened = identityOf(path)
  return () => identityOf(path) === opened
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}
