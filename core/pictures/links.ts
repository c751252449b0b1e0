/** Signed links to pictures: anyone who holds one may look, until it expires. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '../contract/limits.ts'
import { kindOfFile, PICTURES, type PictureKey, type PictureKind } from './pictures.ts'

/** A key that signs links, and the name under which links refer to it. */
export interface LinkKey {
  id: string
  key: string
}

/** The first signs; links of all of them are open. */
export type LinkKeys = readonly [LinkKey, ...LinkKey[]]

/** Links of one hour expire together, so that equal answers stay equal for a while and pictures stay cached. */
const EXPIRY_STEP_S = 3_600

const LINK =
  /^\/pictures\/([0-9a-f]{24})\/(0|[1-9]\d{0,15})\/(thumbnail\.jpg|normalized\.png)\?expires=(\d{1,12})&key=([0-9a-z]{1,32})&signature=([\w-]{43})$/

/** The path and query that lead to a picture, from now on (unix milliseconds) for at least LIMITS.pictureLinkMs. */
export function pictureLink(
  [signer]: LinkKeys,
  { owner, id }: PictureKey,
  kind: PictureKind,
  now: number,
): string {
  const seconds = (now + LIMITS.pictureLinkMs) / 1000
  const expires = Math.ceil(seconds / EXPIRY_STEP_S) * EXPIRY_STEP_S
  const unsigned = `/pictures/${owner}/${id}/${PICTURES[kind].file}?expires=${expires}&key=${signer.id}`
  return `${unsigned}&signature=${signature(signer, unsigned)}`
}

/** What an open link leads to. */
export interface OpenLink {
  key: PictureKey
  kind: PictureKind
}

/** Reads a path and query. Undefined unless it is, letter for letter, a link that one of these keys made and that is open. */
export function openLink(keys: LinkKeys, pathAndQuery: string, now: number): OpenLink | undefined {
  const [, owner, id, file, expires, keyId, given] = LINK.exec(pathAndQuery) ?? []
  const signer = keys.find(({ id }) => id === keyId)
  if (owner === undefined || file === undefined || given === undefined || !signer) return undefined
  const unsigned = pathAndQuery.slice(0, pathAndQuery.lastIndexOf('&signature='))
  const kind = kindOfFile(file)
  // Compared as text: two spellings of one base64 value are two links, and only one of them was given out.
  if (!kind || !timingSafeEqual(Buffer.from(signature(signer, unsigned)), Buffer.from(given)))
    return undefined
  return Number(expires) * 1000 > now ? { key: { owner, id: Number(id) }, kind } : undefined
}

const signature = ({ key }: LinkKey, unsigned: string): string =>
  createHmac('sha256', key).update(unsigned).digest('base64url')
