/** Expectations of answers, refusals and commands. */
import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers {
    /** Whether a call of an operation is refused with this code, because of this parameter. */
    toBeRefused(code: string, param?: string): Promise<void>
    /** Whether a request is answered with this status. */
    toAnswer(status: number): Promise<void>
    /** Whether a command ended with this exit code, and its outputs contain this text. */
    toExit(status: number, text?: string): void
  }
}

expect.extend({
  async toBeRefused(call: Promise<unknown>, code: string, param?: string) {
    const refusal = await call.then(
      () => undefined,
      error => error,
    )
    const actual = [refusal?.code, param && refusal?.detail?.param]
    const expected = [code, param]
    return { pass: this.equals(actual, expected), actual, expected, message: () => `it ends with ${refusal}` }
  },
  async toAnswer(request: Promise<{ status: number }>, expected: number) {
    const { status: actual } = await request
    return { pass: actual === expected, actual, expected, message: () => `it answers ${actual}` }
  },
  toExit(ended: { status: number; said?: string }, status: number, text = '') {
    const { status: actual, said = '' } = ended
    const pass = actual === status && said.includes(text)
    return { pass, message: () => `it ends with ${actual} instead of ${status} and "${text}": ${said}` }
  },
})
