/** Short values as callers write them: numbers, words, UUIDs and URLs. */
import { LIMITS } from '../../core/contract/limits.ts'

/** NUL and halves of characters would be stored as something else. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** Characters of a number, a word or a UUID. Checks read them more than once. */
const SHORT = 64

/** A short text without spaces around it, and without the slash that some clients append to a query. */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > SHORT) return undefined
  const trimmed = value.trim()
  return trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The number that a value is, or is the text of; NaN for others. */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  const written = word(value)
  return written !== undefined && NUMBER.test(written) ? Number(written) : Number.NaN
}

/** 32 hexadecimal digits, with or without hyphens. */
export const isUuid = (value: string): boolean =>
  value.length <= SHORT && /^[0-9a-f]{32}$/i.test(value.replaceAll('-', ''))

/** The 32 digits of a UUID, in lower case. */
export const digitsOf = (uuid: string): string => uuid.toLowerCase().replaceAll('-', '')

export const isPhotoUrl = (value: string): boolean =>
  value.length <= LIMITS.photoNameLength && isStorable(value) && URL.canParse(value)
