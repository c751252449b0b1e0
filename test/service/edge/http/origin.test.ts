/** The origin of links in answers, behind a trusted proxy and without one. */
import { expect, inject, it } from 'vitest'
import { startEdge } from '../edge-process.ts'

it('an edge that trusts its proxy writes the forwarded origin into links', { tags: 'long' }, async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'faces.example.com' }
  const overviewAt = async (edge: string) =>
    (await (await fetch(`${edge}/docs`, { headers })).json()).results[0].overview
  const trusting = await startEdge(inject('data'), [inject('core')], {}, 'loopback')
  expect(await overviewAt(trusting)).toBe('https://faces.example.com/v0/docs/v0/overview.html')
  const wary = await startEdge(inject('data'), [inject('core')])
  expect(new URL(await overviewAt(wary)).host).toBe(new URL(wary).host)
})
