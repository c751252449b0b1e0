/** Operator keys for tests, and a search of a folder for plaintext. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type OperatorKey, parseOperatorKey } from '#core/encryption/key-file.ts'

export const KEY_TEXT = '0123456789abcdef'.repeat(4)
export const NEW_KEY_TEXT = 'fedcba9876543210'.repeat(4)

export const OPERATOR = parseOperatorKey(KEY_TEXT) as OperatorKey
export const NEW_KEY = parseOperatorKey(NEW_KEY_TEXT) as OperatorKey

/** The names of the wanted byte strings that any file below the folder contains, sorted. */
export function foundIn(folder: string, wanted: Record<string, Uint8Array>): string[] {
  const found = new Set<string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    const bytes = readFileSync(path)
    for (const [what, part] of Object.entries(wanted)) if (bytes.includes(Buffer.from(part))) found.add(what)
  }
  return [...found].sort()
}
