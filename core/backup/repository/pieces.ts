/** Form of the pieces of backups: compressed, encrypted when the data folder is, named by their content. */
import { createHash, createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type DataKey, subkey } from '../../encryption/encrypt.ts'
import { fileForm } from '../../encryption/file-form.ts'

const [compress, decompress] = [promisify(brotliCompress), promisify(brotliDecompress)]

/** Brotli's second quickest level: vectors and pictures hardly shrink, metadata does. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Bytes of the SHA-256 in front of the content. */
const SUM_BYTES = 32

/** Most bytes of a piece. A pack of pictures is the largest one. */
const MOST_BYTES = 2 ** 28

export interface PieceForm {
  /** Name of a piece with this content: 64 hexadecimal digits. Without the data key, it does not tell the content. */
  name(content: Uint8Array): string
  stored(name: string, content: Uint8Array): Promise<Uint8Array>
  /** Content of a stored piece; undefined for damaged bytes, and those of another name or key. */
  read(name: string, stored: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined>
}

export function pieceForm(dataKey: DataKey | undefined): PieceForm {
  const file = fileForm(dataKey, 'backups')
  const nameKey = dataKey && subkey(dataKey, 'backup names')
  const sum = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

  return {
    name: content =>
      (nameKey ? createHmac('sha256', nameKey).update(content).digest() : sum(content)).toString('hex'),

    stored: async (name, content) =>
      file.stored(await compress(Buffer.concat([sum(content), content]), COMPRESSION), name),

    async read(name, stored) {
      const compressed = file.read(stored, name)
      if (!compressed) return undefined
      const bytes = await decompress(compressed, { maxOutputLength: MOST_BYTES }).catch(() => undefined)
      if (!bytes || bytes.length < SUM_BYTES) return undefined
      const content = new Uint8Array(bytes.subarray(SUM_BYTES))
      return bytes.subarray(0, SUM_BYTES).equals(sum(content)) ? content : undefined
    },
  }
}
