/** Schemas of single values that many messages and files have. */
import * as z from 'zod'

/** A whole number, 0 or more. */
export const Natural = z.int().min(0)

/** A whole number, 1 or more. */
export const Positive = z.int().min(1)

/** A number from 0 to 1. */
export const Share = z.number().min(0).max(1)

/** The id of a camera, a rule or a browser: 32 hexadecimal digits in lower case. */
export const HexId = z.string().regex(/^[0-9a-f]{32}$/)

/** SHA-256 in 64 hexadecimal digits in lower case. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
