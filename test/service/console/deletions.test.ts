/** Deletions of items of a page: after a confirmation that names the items. */
import type { Send } from '#test/support/client.ts'
import { clickButton, consoleTests, enrol, freshOwner, visit, waitForText } from './visitor.ts'

interface Deletion {
  what: string
  /** Makes it. Returns its page. */
  make(api: Send): Promise<string>
  /** Names of the button and of the confirming button. */
  buttons: [ask: string, confirm: string]
  /** The API answers 404 for it afterwards. */
  gone: string
  afterwards: string
}

const DELETIONS: Deletion[] = [
  {
    what: 'a camera',
    make: async api => `cameras/${(await api('POST', '/v1/camera', { meta: 'Yard' })).body.id}`,
    buttons: ['Delete the camera', 'Delete the camera'],
    gone: 'camera',
    afterwards: 'The camera was deleted.',
  },
  {
    what: 'an alert rule',
    make: async api => `alerts/${(await api('POST', '/v1/alerts', { name: 'door' })).body.id}`,
    buttons: ['Delete the rule', 'Delete the rule'],
    gone: 'alert/id',
    afterwards: 'The rule was deleted.',
  },
  {
    what: 'a person with the faces',
    async make(api) {
      for (const number of [2, 3] as const)
        await api('PUT', `/v1/face/id/${(await enrol(api, number))[0]!.id}`, { person_id: 7 })
      return 'persons/7'
    },
    buttons: ['Delete the person', 'Delete person and 2 faces'],
    gone: 'person/id',
    afterwards: 'There are no persons.',
  },
]

consoleTests('a page', () => {
  it.each(DELETIONS)(
    'deletes $what after a confirmation',
    async ({ make, buttons: [ask, confirm], gone, afterwards }) => {
      const { token, api } = freshOwner()
      const hash = await make(api)
      const page = await visit({ token, hash: `#/${hash}` })
      const statusOf = async () => (await api('GET', `/v1/${gone}/${hash.split('/').at(-1)}`)).status
      const dialog = page.getByRole('dialog')
      await clickButton(page, ask)
      await clickButton(dialog, 'Cancel')
      expect(await statusOf()).toBe(200)
      await clickButton(page, ask)
      await clickButton(dialog, confirm)
      await waitForText(page, afterwards)
      expect(await statusOf()).toBe(404)
    },
  )
})
