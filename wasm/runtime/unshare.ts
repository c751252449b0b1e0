/** Makes a WebAssembly module with an imported shared memory accept an ordinary one: workerd has no shared memory. */

/** https://webassembly.github.io/spec/core/binary/modules.html */
const HEADER_BYTES = 8
const IMPORT_SECTION = 2
const IMPORT = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
const LIMITS = { hasMaximum: 1, shared: 2 } as const

/**
 * The module with the shared flag of its imported memory cleared. Its atomic instructions stay: they are valid on
 * ordinary memory. Throws when the module imports no memory, or a memory that is not shared.
 */
export function withUnsharedMemory(module: Uint8Array): Uint8Array {
  const flags = memoryFlagsAt(module)
  if (flags === undefined) throw new Error('the module imports no memory')
  if (!(module[flags]! & LIMITS.shared)) throw new Error('the memory of the module is not shared')
  const copy = module.slice()
  copy[flags] = module[flags]! & ~LIMITS.shared
  return copy
}

/** A position in the module from which reading continues. */
interface Cursor {
  readonly bytes: Uint8Array
  at: number
}

const byte = (cursor: Cursor): number => cursor.bytes[cursor.at++]!

/** Reads an unsigned LEB128 number. */
function unsigned(cursor: Cursor): number {
  let value = 0
  for (let scale = 1; ; scale *= 128) {
    const digit = byte(cursor)
    value += (digit & 127) * scale
    if (digit < 128) return value
  }
}

const skip = (cursor: Cursor, length: number): void => {
  cursor.at += length
}

/** Offset of the flags byte of the imported memory. */
function memoryFlagsAt(bytes: Uint8Array): number | undefined {
  const cursor: Cursor = { bytes, at: HEADER_BYTES }
  while (cursor.at < bytes.length) {
    const section = byte(cursor)
    const length = unsigned(cursor)
    if (section === IMPORT_SECTION) return memoryFlagsInImports(cursor)
    skip(cursor, length)
  }
  return undefined
}

function memoryFlagsInImports(cursor: Cursor): number | undefined {
  for (let left = unsigned(cursor); left > 0; left--) {
    skip(cursor, unsigned(cursor)) // the module's name
    skip(cursor, unsigned(cursor)) // the import's name
    const kind = byte(cursor)
    if (kind === IMPORT.memory) return cursor.at
    skipImport(cursor, kind)
  }
  return undefined
}

function skipImport(cursor: Cursor, kind: number): void {
  if (kind === IMPORT.function) unsigned(cursor)
  else if (kind === IMPORT.table) skipTable(cursor)
  else if (kind === IMPORT.global) skip(cursor, 2)
  else if (kind === IMPORT.tag) {
    skip(cursor, 1)
    unsigned(cursor)
  } else throw new Error(`an import of the unknown kind ${kind}`)
}

function skipTable(cursor: Cursor): void {
  skip(cursor, 1)
  const flags = byte(cursor)
  unsigned(cursor)
  if (flags & LIMITS.hasMaximum) unsigned(cursor)
}
