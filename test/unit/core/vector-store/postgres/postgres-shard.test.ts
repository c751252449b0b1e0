/** A shard in PostgreSQL: the shared suite. */
import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { openPostgresShard } from '#core/vector-store/postgres/postgres-shard.ts'
import { behavesAsAVectorStore } from '../vector-store.suite.ts'
import { testDatabase } from './database.ts'

const database = testDatabase()
let address: PostgresAddress
beforeEach(() => {
  address = database.fresh()
})

behavesAsAVectorStore('openPostgresShard', () => openPostgresShard(address))
