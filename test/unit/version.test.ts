/** The version of the project: one number in all places. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import manifest from '../../package.json' with { type: 'json' }

it.each([
  ['package-lock.json', /"version": "(.+?)"/],
  ['clients/typescript/package.json', /"version": "(.+?)"/],
  ['clients/typescript/README.md', /mien-client-(.+?)\.tgz/],
  ['clients/python/pyproject.toml', /^version = "(.+?)"/m],
  ['deploy/helm/mien/Chart.yaml', /^appVersion: (.+)$/m],
  ['deploy/helm/mien/Chart.yaml', /^version: (.+)$/m],
  ['CHANGELOG.md', /^## (\d\S+)/m],
])('%s has the version of package.json at %s', async (path, place) => {
  expect(place.exec(await readFile(join(ROOT, path), 'utf8'))?.[1]).toBe(manifest.version)
})
