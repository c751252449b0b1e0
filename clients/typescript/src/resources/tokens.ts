/** Tokens of the owner. */
import type { CallOptions, Send } from '../send.ts'
import type { CurrentToken } from '../types.ts'

export class Tokens {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The token of this client: its owner, its scope, and what the scope allows. */
  current(options?: CallOptions): Promise<CurrentToken> {
    return this.#send({ method: 'GET', path: '/token' }, options)
  }
}
