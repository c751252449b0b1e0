/** How many questions core works on at once: by number and by bytes. */
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { questionRoom } from '../../../core/routes/question-room.ts'

/** A door with that room, behind which questions stay until they are let go. */
function door() {
  const leaving: (() => void)[] = []
  const app = new Hono()
  app.post('/', questionRoom({ questions: 3, bytes: 100 }), async context => {
    await new Promise<void>(resolve => leaving.push(resolve))
    return context.text('done')
  })
  app.onError(error => Response.json(error, { status: 503 }))
  const ask = (bytes: number | undefined) =>
    app.request('/', {
      method: 'POST',
      ...(bytes === undefined ? {} : { headers: { 'content-length': String(bytes) } }),
    })
  return { ask, leaving }
}

const turn = () => new Promise(resolve => setTimeout(resolve, 5))

describe('core', () => {
  it.each([
    ['one too many', [1, 1, 1], 1],
    ['bytes too many', [60, 30], 11],
    ['that does not say how long it is, beside others', [50], undefined],
  ])('refuses a question that is %s, and takes it when others are done', async (_, before, last) => {
    const { ask, leaving } = door()
    const asked = before.map(ask)
    await turn()
    expect((await ask(last)).status).toBe(503)
    for (const leave of leaving) leave()
    for (const answer of asked) expect((await answer).status).toBe(200)
    const again = ask(last ?? 100)
    await turn()
    leaving.at(-1)?.()
    expect((await again).status).toBe(200)
  })
})
