/** Writes the pieces of a backup that the repository lacks. */
import { open } from 'node:fs/promises'
import { eachAtOnce } from '../../pictures/objects.ts'
import type { PictureKey, PictureStore } from '../../pictures/pictures.ts'
import { packsOf, packText, readPack } from './picture-packs.ts'
import type { PieceForm } from './pieces.ts'
import { AT_ONCE } from './place.ts'
import { BLOCK_BYTES, type FileInPieces, type PictureList } from './record.ts'
import type { Repository } from './repository.ts'

export class PieceWriter {
  /** All pieces of the backup. */
  readonly names = new Set<string>()
  /** Stored bytes of the pieces that the repository lacked. */
  added = 0
  readonly #repository: Repository
  readonly #form: PieceForm
  readonly #held: Set<string>

  /** `held`: names of the pieces in the repository. Pieces that are written are added to it. */
  constructor(repository: Repository, form: PieceForm, held: Set<string>) {
    this.#repository = repository
    this.#form = form
    this.#held = held
  }

  /** Durable when it resolves. Returns the name. */
  async write(content: Uint8Array, name = this.#form.name(content)): Promise<string> {
    if (!this.#held.has(name)) {
      const stored = await this.#form.stored(name, content)
      await this.#repository.writePiece(name, stored)
      this.#held.add(name)
      this.added += stored.length
    }
    this.names.add(name)
    return name
  }

  /** Writes a file that does not change meanwhile. `path` names it in the data folder. */
  async writeFile(file: string, path: string): Promise<FileInPieces> {
    const handle = await open(file, 'r')
    try {
      const { size } = await handle.stat()
      const pieces: string[] = new Array(Math.ceil(size / BLOCK_BYTES))
      await eachAtOnce(AT_ONCE, pieces.keys(), async number => {
        const at = number * BLOCK_BYTES
        const block = Buffer.alloc(Math.min(BLOCK_BYTES, size - at))
        const { bytesRead } = await handle.read(block, 0, block.length, at)
        if (bytesRead < block.length) throw new Error(`${file} became shorter while it was copied.`)
        pieces[number] = await this.write(block)
      })
      return { path, bytes: size, pieces }
    } finally {
      await handle.close()
    }
  }

  /**
   * Writes the pictures of faces, by rising id. `known`: the packs of an earlier backup with the same data key, which are not
   * read again. Returns all packs by name.
   */
  async writePictures(
    pictures: Pick<PictureStore, 'readStored'>,
    faces: AsyncIterable<PictureKey>,
    known: PictureList,
  ): Promise<PictureList> {
    const sizes = new Map(known.map(({ piece, bytes }) => [piece, bytes]))
    const packs: PictureList = []
    await eachAtOnce(AT_ONCE, packsOf(faces), async pack => {
      packs.push(await this.#writePack(pictures, pack, sizes))
    })
    return packs.sort((a, b) => (a.piece < b.piece ? -1 : 1))
  }

  async #writePack(
    pictures: Pick<PictureStore, 'readStored'>,
    faces: readonly PictureKey[],
    sizes: ReadonlyMap<string, number>,
  ): Promise<PictureList[number]> {
    const whole = this.#form.name(packText(faces, []))
    const size = sizes.get(whole)
    if (size !== undefined && this.#held.has(whole)) {
      this.names.add(whole)
      return { piece: whole, bytes: size }
    }
    const { content, missing } = await readPack(pictures, faces)
    const name = missing.length === 0 ? whole : this.#form.name(packText(faces, missing))
    return { piece: await this.write(content, name), bytes: content.length }
  }
}
