/** A core that migrates a database and is killed during the migration: `node migrate.child.ts URL DATA FOLDER`. */
import { openDatabase } from '#core/metadata/database.ts'
import { migrateSchema } from '#core/metadata/migrate.ts'

const [, , url = '', data = '', folder = ''] = process.argv

const database = await openDatabase(data, { database: { url } })
await migrateSchema(database, { folder, where: url })
