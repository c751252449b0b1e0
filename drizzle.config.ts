/** How `npm run migrations` turns the metadata's schema into SQL files. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'turso',
  schema: ['./core/metadata/schema.ts', './core/metadata/alert-schema.ts'],
  out: './core/metadata/migrations',
})
