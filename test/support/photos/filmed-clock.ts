/** A camera that films the clock of this machine: its milliseconds as a row of black and white blocks. */
import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import sharp from 'sharp'
import { listen } from '../processes.ts'

const [WIDTH, HEIGHT, FPS] = [1_280, 720, 25]

/** Blocks of a bit each, the lowest one first. The clock repeats after 4 hours. */
const BITS = 24
const BLOCK = WIDTH / BITS

/** Serves MPEG-TS over HTTP to any number of callers. */
export async function filmedClock(): Promise<{ url: string; viewers(): number; close(): void }> {
  const callers = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    callers.add(response)
    request.once('close', () => callers.delete(response))
  })
  const port = await listen(server)
  const encoder = spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      '-s',
      `${WIDTH}x${HEIGHT}`,
      '-r',
      String(FPS),
      '-i',
      'pipe:0',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-tune',
      'zerolatency',
      '-g',
      '12',
      '-pix_fmt',
      'yuv420p',
      '-f',
      'mpegts',
      '-flush_packets',
      '1',
      'pipe:1',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  encoder.stdin.on('error', () => {})
  encoder.stdout.on('data', chunk => {
    for (const caller of callers) caller.write(chunk)
  })
  const timer = setInterval(() => encoder.stdin.write(pictureOf(Date.now())), 1_000 / FPS)
  return {
    url: `http://127.0.0.1:${port}/clock`,
    viewers: () => callers.size,
    close() {
      clearInterval(timer)
      encoder.kill('SIGKILL')
      server.close().closeAllConnections()
    },
  }
}

function pictureOf(time: number) {
  const picture = Buffer.alloc(WIDTH * HEIGHT, 128)
  for (let x = 0; x < WIDTH; x++) picture[x] = Math.floor(time / 2 ** Math.floor(x / BLOCK)) % 2 ? 235 : 16
  for (let y = 1; y < 96; y++) picture.copyWithin(y * WIDTH, 0, WIDTH)
  return picture
}

/** Milliseconds from filming until now, read from a picture of any size. */
export async function ageOf(jpeg: Uint8Array): Promise<number> {
  const now = Date.now()
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  const row = Math.floor((info.height * 48) / HEIGHT) * info.width * info.channels
  let filmed = 0
  for (let bit = 0; bit < BITS; bit++) {
    const x = Math.floor(((bit + 0.5) * info.width) / BITS)
    if (data[row + x * info.channels]! > 128) filmed += 2 ** bit
  }
  return (now - filmed) % 2 ** BITS
}
