/** Answers of replicas that do not confirm a change. */
import { isDatabaseUnavailable } from '#core/metadata/connection/availability.ts'
import { openReplicas } from '#core/metadata/connection/replicas.ts'
import { serve } from '#test/support/servers/served.ts'

interface Row {
  installation: string
  rowsRead: number
}

/** A server that answers each query with the next row, and then with the last one. Notes the tokens of queries. */
async function serverWith(...answers: Row[]) {
  const tokens: unknown[] = []
  const url = await serve((request, response) => {
    const { installation, rowsRead } = answers[Math.min(tokens.length, answers.length - 1)]!
    tokens.push(request.headers.authorization)
    const rows = [[{ type: 'text', value: installation }]]
    const result = { cols: [{ name: 'id' }], rows, replication_index: '7', rows_read: rowsRead }
    request.resume().once('end', () =>
      response.end(
        JSON.stringify({
          results: [
            { type: 'ok', response: { type: 'execute', result } },
            { type: 'ok', response: { type: 'close' } },
          ],
        }),
      ),
    )
  })
  return { url, tokens }
}

const OWN = { installation: 'a', rowsRead: 1 }

it('a replica confirms once it reads the rows itself, and gets the token of the database', async () => {
  const [primary, replica] = [await serverWith(OWN), await serverWith({ ...OWN, rowsRead: 0 }, OWN)]
  await openReplicas({ url: primary.url, token: 'token', replicas: [replica.url] }).confirm()
  expect(primary.tokens).toEqual(['Bearer token'])
  expect(replica.tokens).toEqual(['Bearer token', 'Bearer token'])
})

it('a replica of another installation does not confirm', async () => {
  const [primary, replica] = [await serverWith(OWN), await serverWith({ ...OWN, installation: 'b' })]
  const failure = await openReplicas({ url: primary.url, replicas: [replica.url] })
    .confirm()
    .catch(error => error)
  expect(isDatabaseUnavailable(failure)).toBe(true)
})

it('one of several replicas suffices', async () => {
  const [primary, replica] = [await serverWith(OWN), await serverWith(OWN)]
  const other = await serverWith({ ...OWN, installation: 'b' })
  await openReplicas({ url: primary.url, replicas: [other.url, replica.url] }).confirm()
})
