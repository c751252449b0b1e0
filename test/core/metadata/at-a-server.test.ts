/** Metadata at a real libSQL server: what holds for a file holds there, by the very same tests. */
import { keepMetadataElsewhere } from '../databases.ts'

keepMetadataElsewhere()

await import('../recognition/enrol.test.ts')
await import('../recognition/forget.test.ts')
await import('../recognition/persons.test.ts')
await import('../recognition/retention.test.ts')
await import('../recognition/settle.test.ts')
await import('../recognition/update-face.test.ts')
