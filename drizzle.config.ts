/** How `npm run migrations` turns the metadata's schema into SQL files. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'turso',
  schema: ['schema', 'access/schema', 'alerts/schema', 'cameras/schema', 'persons/schema'].map(
    name => `./core/metadata/${name}.ts`,
  ),
  out: './core/metadata/migrations',
})
