import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COMPATIBILITY_DATE } from '#commands/build/bundle.ts'

it('COMPATIBILITY_DATE equals the compatibility_date of wrangler.toml', async () => {
  const settings = await readFile(join(import.meta.dirname, '..', '..', '..', '..', 'wrangler.toml'), 'utf8')
  expect(settings).toContain(`compatibility_date = "${COMPATIBILITY_DATE}"`)
})
