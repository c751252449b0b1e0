/** A user's program: the attributes of v1, with both generated clients. See generated-clients.ts. */
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'
import { client } from './sdk/client.gen.js'
import { detect } from './sdk/index.js'

const [baseUrl = '', token = '', photoPath = ''] = process.argv.slice(2)
const config = { baseUrl, headers: { Authorization: `Token ${token}` } }
const photo = new File([await readFile(photoPath)], 'ann.jpg')
const asked = { age: true, gender: true, emotions: true }

client.setConfig(config)
const byHeyApi = await detect({ body: { photo, ...asked } })
const byFetch = await createClient<paths>(config).POST('/detect', {
  body: { photo, ...asked },
  bodySerializer(body: object) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body))
      form.append(name, value instanceof Blob ? value : String(value))
    return form
  },
})

const told = [byHeyApi, byFetch].map(({ data, error }) => {
  const [face] = data?.faces ?? []
  const gender: 'male' | 'female' | undefined = face?.gender
  return { gender, years: typeof face?.age, emotions: face?.emotions?.length, error }
})
process.stdout.write(JSON.stringify(told))
