import { refused, scriptedServer } from '../scripted-server.ts'

const page = (ids: number[], next_page: string | null) => ({
  body: { results: ids.map(id => ({ id })), prev_page: null, next_page },
})

const threePages = () =>
  scriptedServer(
    page([9, 8], '/v1/faces?limit=2&max_id=8'),
    page([7, 6], '/v1/faces?limit=2&max_id=6'),
    page([5], null),
  )

describe('a list', () => {
  it('visits each entry of each page, in order', async () => {
    await using server = await threePages()
    const ids: number[] = []
    for await (const { id } of server.client.faces.list({ pageSize: 2 })) ids.push(id)
    expect(ids).toEqual([9, 8, 7, 6, 5])
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/v1/faces?limit=2',
      '/v1/faces?limit=2&max_id=8',
      '/v1/faces?limit=2&max_id=6',
    ])
  })

  it('requests no page that is not needed', async () => {
    await using server = await threePages()
    expect(await server.client.faces.list().toArray(2)).toHaveLength(2)
    expect(await server.client.faces.list().toArray(0)).toEqual([])
    expect(server.asked).toHaveLength(1)
  })

  it('throws at the page that is refused', async () => {
    await using server = await scriptedServer(page([9], '/v1/faces?max_id=9'), refused(403, 'FORBIDDEN'))
    const seen: number[] = []
    const reading = async () => {
      for await (const { id } of server.client.faces.list()) seen.push(id)
    }
    await expect(reading()).toBeRefused('FORBIDDEN')
    expect(seen).toEqual([9])
  })

  it('never sends the token to the host of a link, and keeps the path under which the service is mounted', async () => {
    await using other = await scriptedServer({})
    await using server = await scriptedServer(page([9], `${other.url}/v1/faces?max_id=9`), page([8], null))
    await server.client.faces.list().toArray()
    expect(server.asked.at(-1)!.path).toBe('/v1/faces?max_id=9')
    expect(other.asked).toEqual([])
  })
})
