import { inspect } from 'node:util'
import { MienClient } from '#clients/typescript/src/index.ts'
import { type Reply, refused, scriptedServer, TOKEN } from '../scripted-server.ts'

/** The error of a call against this reply. */
async function errorOf(reply: Reply): Promise<Error> {
  await using server = await scriptedServer(reply)
  const client = new MienClient({ url: server.url, token: TOKEN, retries: 0 })
  return await client.faces.get(1).then(
    () => new Error('The call succeeded.'),
    (error: Error) => error,
  )
}

describe('a refusal', () => {
  it('has status, code, reason, parameter and the id of the request', async () => {
    const body = { code: 'BAD_PARAM', reason: 'n: expected a number.', param: 'n', value: 'x' }
    const reply = { status: 400, headers: { 'x-request-id': 'r7' }, body }
    expect(await errorOf(reply)).toMatchObject({
      name: 'MienError',
      message: '400 BAD_PARAM: n: expected a number. (request r7)',
      status: 400,
      code: 'BAD_PARAM',
      reason: 'n: expected a number.',
      param: 'n',
      requestId: 'r7',
      retryAfter: undefined,
    })
  })

  it('of several faces has a code for programs, and the boxes', async () => {
    const faces = [{ x1: 1, y1: 2, x2: 60, y2: 70 }]
    const body = { code: 400, reason: 'Too many faces: 1', faces }
    expect(await errorOf({ status: 400, body })).toMatchObject({ code: 'TOO_MANY_FACES', faces })
  })

  it.each([
    ['7', 7],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thu, 01 Jan 2150 00:00:00 GMT', 3600],
    ['soon', undefined],
  ])('with Retry-After "%s" says %s seconds', async (header, seconds) => {
    const error = await errorOf(refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': header }))
    expect(error).toHaveProperty('retryAfter', seconds)
  })
})

describe('the token', () => {
  it('is not in the client that is printed', () => {
    const client = new MienClient({ url: 'http://127.0.0.1:9', token: TOKEN })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(TOKEN)
  })

  it.each(['', `${TOKEN}\n`, `Token ${TOKEN}`])(
    'is refused by the constructor, unnamed, when it is %j',
    token => {
      const make = () => new MienClient({ url: 'http://127.0.0.1:9', token })
      expect(make).toThrow('token: expected the text of a token')
    },
  )
})

describe('a URL', () => {
  it.each(['127.0.0.1:8787', 'ftp://host', 'http://ann:secret@host', ''])('is refused: %s', url => {
    const make = () => new MienClient({ url, token: TOKEN })
    expect(make).toThrow(/^url: expected/)
    expect(make).not.toThrow('secret')
  })
})
