/** The clock of the database, which all cores on it share. */
import { sql } from 'drizzle-orm'

/** The database's time in Unix milliseconds. */
export const NOW = sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
