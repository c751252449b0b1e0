/** The pack of a data folder: the name of the start, else the recorded choice, else the standard pack. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHOICE, chosenName, chosenPack } from '#models/packs.ts'
import { temporaryFolder } from '../core/folder.ts'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const writeChoice = (text: string): Promise<void> => writeFile(join(data, CHOICE), text)

it('chosenName is standard for a new and for a missing folder', async () => {
  expect(await chosenName(data)).toBe('standard')
  expect(await chosenName(join(data, 'nowhere'))).toBe('standard')
})

it('chosenName prefers the name of the start, then the choice, also one of 0.2', async () => {
  await writeChoice('{"pack":"yunet","embedder":"mobilefacenet-160-e73b9794"}')
  expect(await chosenName(data)).toBe('yunet')
  expect(await chosenName(data, 'standard')).toBe('standard')
})

it('chosenName refuses a damaged choice', async () => {
  await writeChoice('{"pack":')
  await expect(chosenName(data)).rejects.toThrow('damaged')
})

it.each(['dlib', 'mobilefacenet'])(
  'chosenPack says what to run instead of the removed pack %s',
  async name => {
    await writeChoice(JSON.stringify({ pack: name }))
    for (const preferred of [undefined, name])
      await expect(chosenPack(data, preferred)).rejects.toThrow(
        `The pack "${name}" was removed: start without --pack and MIEN_PACK, and run "mien models reembed"`,
      )
  },
)
