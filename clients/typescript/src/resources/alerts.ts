/** Alert rules about faces of cameras, and the deliveries of their messages. */
import { segment } from '../fields.ts'
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { Alert, AlertParameters, Delivery, DeliveryFilter, NewAlert, NewSecret } from '../types.ts'

const pathOf = (id: string): string => `/alert/id/${segment(id)}`

export class Alerts {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists all rules, oldest first. */
  list(options?: CallOptions): Pages<Alert> {
    return new Pages(() => this.#send({ method: 'GET', path: '/alerts' }, options))
  }

  /** Creates a rule. `secret` is in this answer only, and absent without a `url`. Not repeated after a lost answer: that could create a second one. */
  create(parameters: AlertParameters, options?: CallOptions): Promise<NewAlert> {
    return this.#send({ method: 'POST', path: '/alerts', body: parameters }, options)
  }

  get(id: string, options?: CallOptions): Promise<Alert> {
    return this.#send({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Replaces all settings of a rule: an absent condition is removed. The answer has a `secret` with the first `url` of the rule. */
  update(id: string, parameters: AlertParameters, options?: CallOptions): Promise<NewAlert> {
    return this.#send({ method: 'PUT', path: pathOf(id), body: parameters }, options)
  }

  /** Deletes a rule with its deliveries. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: 'DELETE', path: pathOf(id) }, options)
  }

  /** Adds a secret. Messages carry signatures of the new and the previous secret for 24 hours. */
  rotateSecret(id: string, options?: CallOptions): Promise<NewSecret> {
    return this.#send({ method: 'POST', path: `${pathOf(id)}/secret` }, options)
  }

  /** Sends a message without a face. */
  test(id: string, options?: CallOptions): Promise<Delivery> {
    return this.#send({ method: 'POST', path: `${pathOf(id)}/test` }, options)
  }

  /** Lists the deliveries of a rule, newest first. */
  deliveries(id: string, filter: DeliveryFilter = {}, options?: CallOptions): Pages<Delivery> {
    return new Pages(
      query => this.#send({ method: 'GET', path: `${pathOf(id)}/deliveries${query}` }, options),
      filter,
    )
  }

  /** Sends a failed delivery again. */
  retry(id: string, delivery: number, options?: CallOptions): Promise<Delivery> {
    const path = `${pathOf(id)}/deliveries/${delivery}/retry`
    return this.#send({ method: 'POST', path }, options)
  }
}
