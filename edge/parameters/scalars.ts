/** Parses short values: numbers, words, UUIDs and URLs. */
import { LIMITS } from '../../contract/limits.ts'

/** False for text with NUL or unpaired surrogates, which storage would change. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** Maximum characters of a number, a word or a UUID. Bounds the cost of checks that scan the text repeatedly. */
const MAX_CHARACTERS = 64

/** A short text, trimmed, without the slash that some clients append to a query. Undefined for any other value. */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined
  const trimmed = value.trim()
  return trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The value of a number or its decimal text; NaN for any other value. */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  const written = word(value)
  return written !== undefined && NUMBER.test(written) ? Number(written) : Number.NaN
}

/** 32 hexadecimal digits, with or without hyphens. */
export const isUuid = (value: string): boolean =>
  value.length <= MAX_CHARACTERS && /^[0-9a-f]{32}$/i.test(value.replaceAll('-', ''))

/** The 32 lower-case hexadecimal digits of a UUID. */
export const digitsOf = (uuid: string): string => uuid.toLowerCase().replaceAll('-', '')

export const isPhotoUrl = (value: string): boolean =>
  value.length <= LIMITS.photoNameLength && isStorable(value) && URL.canParse(value)
