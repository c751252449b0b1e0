/** The benchmark of standbys runs with the settings of deploy/postgresql. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { patroniSettings } from '#bench/lib/cluster/patroni-settings.ts'

const SHIPPED = join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'postgresql', 'patroni.yml')

const place = { name: 'pg1', address: '10.0.0.11', folder: '/tmp', programs: '/usr/bin' }
const { postgresql, ...dcs } = patroniSettings(place, [['pg1', '10.0.0.11']], 'secret').bootstrap.dcs
const { use_pg_rewind, use_slots, parameters } = postgresql

it.each(
  Object.entries({
    ...dcs,
    use_pg_rewind,
    use_slots,
    wal_retrieve_retry_interval: parameters.wal_retrieve_retry_interval,
  }),
)('deploy/postgresql/patroni.yml sets %s to %s, as the benchmark does', async (name, value) => {
  expect(await readFile(SHIPPED, 'utf8')).toMatch(new RegExp(`^ +${name}: ${value}( |$)`, 'm'))
})
