/** Shared by tests of the API: the running service, owners without data, and sessions of browsers. */
import { inject } from 'vitest'
import { clientOf, type Send } from '#test/support/client.ts'
import { newToken, type TokenOptions } from '#test/support/tokens.ts'

/** The API with the starter token. */
export const api: Send = clientOf(inject('edge'), inject('token'))

/** The API without a token. */
export const anonymous: Send = clientOf(inject('edge'), undefined)

let owners = 0

/** The API with a new token of the owner with this name. */
export const apiOf = (owner: string, options?: TokenOptions): Send =>
  clientOf(inject('edge'), newToken(inject('data'), owner, options))

/** The API as a new owner without faces or galleries. */
export const freshApi = (): Send => apiOf(`owner ${process.pid} ${owners++}`)

/** Asks an edge for a session, as a browser does. */
export const postSession = (
  body: object,
  headers: Record<string, string> = {},
  edge = inject('edge'),
): Promise<Response> =>
  fetch(`${edge}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const cookieIn = ({ headers }: Response): string => headers.get('set-cookie')?.split(';')[0] ?? ''

/** Headers of requests in the session that an answer opened. */
export const sessionHeaders = async (answer: Response) => ({
  cookie: cookieIn(answer),
  'x-csrf-token': (await answer.clone().json()).csrf as string,
})

/** Whether a box has whole corners in the right order and nothing else. */
export const isBox = (box: unknown): boolean => {
  const { x1, y1, x2, y2, ...rest } = box as Record<string, number>
  const whole = [x1, y1, x2, y2].every(Number.isInteger)
  return whole && Object.keys(rest).length === 0 && x2! > x1! && y2! > y1!
}
