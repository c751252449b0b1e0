/** Signs and checks links to pictures: a link grants read access to its bearer until it expires. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import { kindOfFile, PICTURES, type PictureKey, type PictureKind } from './pictures.ts'

/** A signing key, and the id under which links refer to it. */
interface LinkKey {
  id: string
  key: string
}

/** The first key signs links. Links of all these keys are accepted. */
export type LinkKeys = readonly [LinkKey, ...LinkKey[]]

/**
 * Expiry times are rounded up to this step in seconds: equal responses stay equal for a while, and browsers cache
 * pictures.
 */
const EXPIRY_STEP_S = 3_600

const LINK =
  /^\/pictures\/([0-9a-f]{24})\/(0|[1-9]\d{0,15})\/([a-z]+\.(?:jpg|png|mp4))\?expires=(\d{1,12})&key=([0-9a-z]{1,32})&signature=([\w-]{43})$/

/** Path and query of a link to a picture, valid for at least STORE_LIMITS.pictureLinkMs from `now` (Unix milliseconds). */
export function pictureLink(
  [signer]: LinkKeys,
  { owner, id }: PictureKey,
  kind: PictureKind,
  now: number,
): string {
  const seconds = (now + STORE_LIMITS.pictureLinkMs) / 1000
  const expires = Math.ceil(seconds / EXPIRY_STEP_S) * EXPIRY_STEP_S
  const unsigned = `/pictures/${owner}/${id}/${PICTURES[kind].file}?expires=${expires}&key=${signer.id}`
  return `${unsigned}&signature=${signature(signer, unsigned)}`
}

/** The picture that a valid link refers to. */
interface OpenLink {
  key: PictureKey
  kind: PictureKind
}

/** Reads a path and query. Undefined unless one of these keys signed exactly this text and the link has not expired. */
export function openLink(keys: LinkKeys, pathAndQuery: string, now: number): OpenLink | undefined {
  const [, owner, id, file, expires, keyId, given] = LINK.exec(pathAndQuery) ?? []
  const signer = keys.find(({ id }) => id === keyId)
  if (owner === undefined || file === undefined || given === undefined || !signer) return undefined
  const unsigned = pathAndQuery.slice(0, pathAndQuery.lastIndexOf('&signature='))
  const kind = kindOfFile(file)
  // The signatures are compared as text: Base64 allows several spellings of one value, and only one was issued.
  if (!kind || !timingSafeEqual(Buffer.from(signature(signer, unsigned)), Buffer.from(given)))
    return undefined
  return Number(expires) * 1000 > now ? { key: { owner, id: Number(id) }, kind } : undefined
}

const signature = ({ key }: LinkKey, unsigned: string) =>
  createHmac('sha256', key).update(unsigned).digest('base64url')
