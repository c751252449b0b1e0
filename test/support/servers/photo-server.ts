/** A server of photos for requests by URL: a sample and a portrait. */
import { createServer, type Server } from 'node:http'
import { photos } from '#test/contract/requests.ts'
import { sample } from '../client.ts'
import { listen } from '../processes.ts'

/** Listens on a free loopback port: `/sample3.jpg`, `/portrait.jpg`; all else is 404. */
export async function startPhotoServer(): Promise<{ host: string; server: Server }> {
  const [portrait] = await photos()
  const files = new Map([
    ['/sample3.jpg', await sample(3)],
    ['/portrait.jpg', portrait],
  ])
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file) response.end(file)
    else response.writeHead(404).end()
  })
  return { host: `127.0.0.1:${await listen(server)}`, server }
}
