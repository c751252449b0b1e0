/** Tokens of the owner. */
import { segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type {
  CreatedToken,
  CurrentToken,
  RotatedToken,
  RotationParameters,
  Token,
  TokenParameters,
} from '../types.ts'

export class Tokens {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The token of this client: its owner, its scope, and what the scope allows. */
  current(options?: CallOptions): Promise<CurrentToken> {
    return this.#send({ method: 'GET', path: '/token' }, options)
  }

  /** Lists the tokens of the owner: valid ones first, then those that have ended. */
  list(options?: CallOptions): Pages<Token> {
    return new Pages(() => this.#send({ method: 'GET', path: '/tokens' }, options))
  }

  /** Creates a token. Only this answer has its text. Not repeated after a lost answer: that could create a second one. */
  create(parameters: TokenParameters, options?: CallOptions): Promise<CreatedToken> {
    return this.#send({ method: 'POST', path: '/tokens', body: parameters }, options)
  }

  /** Replaces a token. The old one stays valid for `grace_hours`, 24 without them. Only this answer has the new text. */
  rotate(id: string, parameters: RotationParameters = {}, options?: CallOptions): Promise<RotatedToken> {
    const request = { method: 'POST', path: `/tokens/${segment(id)}/rotate`, body: parameters } as const
    return this.#send(request, options)
  }

  /** Ends a token. Every edge refuses it within 20 seconds. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: `/tokens/${segment(id)}` }, options)
  }
}
