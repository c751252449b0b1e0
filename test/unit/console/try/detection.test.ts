import { expect, it } from 'vitest'
import { detectWithDetails } from '#console/try/detection.ts'
import { scriptedServer } from '../../clients/scripted-server.ts'

const photo = new File([new Uint8Array([1])], 'a.jpg')
const detect = (client: Parameters<typeof detectWithDetails>[0]) =>
  detectWithDetails(client, photo, new AbortController().signal)
const refusal = (param: string) => ({ status: 400, body: { code: 'BAD_PARAM', reason: 'No.', param } })

it('detectWithDetails leaves age, gender and emotions out where the service refuses them', async () => {
  await using server = await scriptedServer(refusal('age'), { body: { faces: [], orientation: 1 } })
  expect(await detect(server.client)).toMatchObject({ faces: [], hasAttributes: false })
  expect(server.asked.map(({ body }) => body.includes('emotions'))).toEqual([true, false])
})

it('detectWithDetails passes other refusals on', async () => {
  await using server = await scriptedServer(refusal('photo'))
  await expect(detect(server.client)).rejects.toMatchObject({ code: 'BAD_PARAM', param: 'photo' })
  expect(server.asked).toHaveLength(1)
})
