/** API tokens: how they look, and the hash that stands for one everywhere but in its owner's hands. */
import * as z from 'zod'
import { sha256 } from '../rpc/signature.ts'

/** What an operator, and the audit log, call a token by: of no use to an attacker. */
export const TokenId = z.string().regex(/^[0-9a-f]{12}$/)

/** `mien_` + 40 letters and digits + 6 hexadecimal digits that check them. */
const SHAPE = /^mien_[0-9A-Za-z]{40}[0-9a-f]{6}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token of 238 random bits. */
export async function newToken(): Promise<string> {
  let body = ''
  while (body.length < 40) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 = 4 x 62: bytes above it would favour the first letters.
      if (byte < 248 && body.length < 40) body += ALPHABET[byte % 62]
    }
  }
  return `mien_${body}${await check(body)}`
}

const check = async (body: string): Promise<string> => (await sha256(`mien token ${body}`)).slice(0, 6)

/** What is stored and looked up in a token's place, or undefined when the text can't be a token of ours. */
export async function tokenHash(token: string): Promise<string | undefined> {
  if (!SHAPE.test(token) || (await check(token.slice(5, 45))) !== token.slice(45)) return undefined
  return sha256(token)
}
