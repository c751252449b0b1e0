/** Frames that the system's ffmpeg reads, and cameras that fail in every way. Skipped without ffmpeg. */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FrameOptions, readFrames } from '#camera/frames/ffmpeg.ts'
import { fileClock } from '#camera/frames/frame-clock.ts'
import { type Source, sourceOf } from '#camera/frames/source.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { descendantsOf, listen, memoryOf } from '#test/support/processes.ts'
import { startRtspServer } from '#test/support/servers/rtsp-server.ts'
import { serve } from '#test/support/servers/served.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'

const folder = sharedFolder()
const clip = join(folder, 'clip.ts')
const other = join(folder, 'other.ts')

/** The URL of a server that ends with the test. */
async function listening(server: Server) {
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listen(server)}/`
}

/** Reads until the stream ends. Returns its end and the sizes of its frames. */
async function read(input: Source, options: Partial<FrameOptions> = {}) {
  const sizes: string[] = []
  const end = await readFrames({
    input,
    fps: 5,
    signal: new AbortController().signal,
    ...options,
    onFrame(frame, time) {
      sizes.push(`${frame.width}x${frame.height}`)
      options.onFrame?.(frame, time)
    },
  })
  return { end, sizes }
}

/** Reads frames of a network camera. */
const readUrl = async (url: string, options?: Partial<FrameOptions>) => read(await sourceOf(url, {}), options)

/** Arguments and environments of the children of a process, as its user reads them. */
function allKnown(parent: number) {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
  const files = children.flatMap(pid => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
  return files.map(file => readFileSync(file, 'latin1')).join(' ')
}

/** Greatest resident megabytes of the child with this argument until the work ends. */
async function greatestMemory(argument: string, work: Promise<unknown>) {
  let [isOver, greatest] = [false, 0]
  void work.finally(() => (isOver = true))
  for (; !isOver; await sleep(20))
    // A child that has just ended has no number.
    for (const pid of await descendantsOf(process.pid, argument))
      greatest = Math.max(greatest, (await memoryOf(pid, 'VmHWM').catch(() => 0)) || 0)
  return greatest
}

describe.skipIf(!hasFfmpeg)('frames of ffmpeg', { tags: ['long', 'ffmpeg'] }, () => {
  beforeAll(() => {
    movingClip(clip, { seconds: 2, size: '320x180' })
    movingClip(other, { seconds: 2, size: '400x300' })
  })

  it('come at the requested rate until the stream ends', async () => {
    const { end, sizes } = await read({ options: ['-i', clip] })
    expect(end).toBe('ended')
    expect(new Set(sizes)).toEqual(new Set(['320x180']))
    expect(sizes.length).toBeGreaterThanOrEqual(9)
    expect(sizes.length).toBeLessThanOrEqual(11)
  })

  it('are chosen at the same times wherever the file is read from', async () => {
    const file = join(folder, 'clip.mkv')
    movingClip(file, { seconds: 2, size: '320x180' })
    const timesFrom = async (from: number) => {
      const times: number[] = []
      const input = { options: ['-ss', String(from / 1_000), '-i', file] }
      const onFrame = (_: unknown, time: number) => void times.push(time)
      await read(input, { from, fps: 3, clock: fileClock(from), onFrame })
      return times
    }
    const all = await timesFrom(0)
    for (const from of [300, 450, 1_000]) {
      // The first frame is always chosen.
      const [first, ...others] = await timesFrom(from)
      expect(others.length).toBeGreaterThan(1)
      expect(others).toEqual(all.filter(time => time > first!))
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'come over HTTP, and over RTSP on one TCP connection, with a password that is in no argument and environment',
    async () => {
      const login = { user: 'ann', password: "se'cr@t" }
      const url = `ann:${encodeURIComponent(login.password)}@127.0.0.1`
      const basic = `Basic ${Buffer.from(`ann:${login.password}`).toString('base64')}`
      const web = await serve(({ headers }, response) => {
        if (headers.authorization === basic) response.end(readFileSync(clip))
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="door"' }).end()
      })
      const rtsp = await startRtspServer(clip, 0, login)
      onTestFinished(() => rtsp.close())
      for (const source of [web, rtsp.url]) {
        const stop = new AbortController()
        let known = ''
        const onFrame = () => {
          if (known !== '') return
          known = allKnown(process.pid)
          stop.abort()
        }
        const right = readUrl(source.replace('127.0.0.1', url), { onFrame, signal: stop.signal })
        expect(await right).toMatchObject({ end: 'stopped' })
        expect(known).toContain('image2pipe')
        expect(known).not.toMatch(/cr(@|%40)t/)
        const wrong = readUrl(source.replace('127.0.0.1', 'ann:wrong@127.0.0.1'))
        expect(await wrong).toMatchObject({ end: 'access denied' })
      }
      expect(rtsp.transports).toEqual([expect.stringContaining('TCP')])
    },
  )

  it('go on when the pictures get another format of the same size', async () => {
    const made = (format: string, start: number) => {
      const file = join(folder, `${format}.ts`)
      const source = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=10:d=6']
      ffmpeg(
        ...source,
        '-c:v',
        'libx264',
        '-bf',
        '0',
        '-pix_fmt',
        format,
        '-output_ts_offset',
        `${start}`,
        file,
      )
      return readFileSync(file)
    }
    const [before, after] = [made('yuv420p', 0), made('yuv422p', 6)]
    const url = await serve((_, response) => {
      response.write(before)
      response.end(after)
    })
    const { end, sizes } = await readUrl(url)
    expect(end).toBe('ended')
    expect(sizes.length).toBeGreaterThan(55)
  })

  it('end when a camera accepts the connection and sends nothing', async () => {
    const url = await listening(createServer(() => {}))
    expect(await readUrl(url, { firstMs: 1_500 })).toEqual({ end: 'silent', sizes: [] })
  })

  it('end when a camera hangs after some frames', async () => {
    // ffmpeg examines the first five seconds before it gives a frame.
    const long = join(folder, 'long.ts')
    movingClip(long, { seconds: 8, size: '160x90' })
    const url = await serve((_, response) => void response.write(readFileSync(long)))
    const { end, sizes } = await readUrl(url, { silentMs: 1_500 })
    expect(end).toBe('stalled')
    expect(sizes.length).toBeGreaterThan(0)
  })

  it('end when a camera sends garbage', async () => {
    const garbage = Buffer.alloc(200_000, 'no video ')
    const url = await serve((_, response) => void response.end(garbage))
    expect(await readUrl(url)).toEqual({ end: 'no video', sizes: [] })
  })

  it('name the reason of a status, and a port without a camera', async () => {
    const missing = await serve((_, response) => void response.writeHead(404).end())
    expect(await readUrl(missing)).toMatchObject({ end: 'not found' })
    const server = createServer()
    const url = await listening(server)
    server.close()
    expect(await readUrl(url)).toMatchObject({ end: 'connection refused' })
  })

  it('have at most the pixels of 4K, and pixels that are square', async () => {
    const sizeOf = async (size: string, ...filters: string[]) => {
      const path = join(folder, 'shaped.avi')
      const picture = ['-f', 'lavfi', '-i', `color=red:s=${size}:r=5:d=0.2`]
      ffmpeg(...picture, ...(filters.length > 0 ? ['-vf', filters.join()] : []), '-c:v', 'mjpeg', path)
      return (await read({ options: ['-i', path] })).sizes[0]
    }
    expect(await sizeOf('8192x4320')).toBe('4230x2230')
    expect(await sizeOf('704x576', 'setsar=16/11')).toBe('1024x576')
    expect(await sizeOf('960x1080', 'setsar=2')).toBe('1920x1080')
    expect(await sizeOf('640x240', 'setsar=1/2')).toBe('640x480')
  })

  it('end when pictures are larger than 8K: they are not decoded', async () => {
    const large = join(folder, 'large.avi')
    const picture = ['-f', 'lavfi', '-i', 'color=black:s=16384x8640:r=5:d=0.2']
    ffmpeg(...picture, '-c:v', 'mjpeg', large)
    const reading = read(await sourceOf('large.avi', { files: folder }))
    const greatest = greatestMemory(large, reading)
    expect(await reading).toEqual({ end: 'too large', sizes: [] })
    // With decoded pictures, it is 600 MB.
    expect(await greatest).toBeLessThan(250)
  })

  it('come at the rate of Motion JPEG over HTTP, although its times are wrong', async () => {
    const picture = join(folder, 'picture.jpg')
    ffmpeg('-i', clip, '-frames:v', '1', picture)
    const jpeg = readFileSync(picture)
    const url = await serve(async (_, response) => {
      response.setHeader('content-type', 'multipart/x-mixed-replace; boundary=b')
      for (let sent = 0; sent < 20; sent++, await sleep(200)) {
        response.write(`--b\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
        response.write(Buffer.concat([jpeg, Buffer.from('\r\n')]))
      }
      response.end()
    })
    expect(await readUrl(url)).toEqual({ end: 'untimed', sizes: [] })
    const { sizes } = await readUrl(url, { isUntimed: true })
    expect(sizes.length).toBeGreaterThan(10)
  })

  it('are key frames alone when the reader was behind', async () => {
    const sparse = join(folder, 'sparse.ts')
    ffmpeg('-i', clip, '-c:v', 'libx264', '-g', '100', sparse)
    expect((await read({ options: ['-i', sparse] }, { isKeyFramesOnly: true })).sizes).toHaveLength(1)
  })

  it('end when a camera sends headers without an end', async () => {
    const line = `Set-Cookie: a=${'b'.repeat(1_000)}\r\n`
    const url = await listening(
      createServer(socket => {
        const send = () => {
          while (socket.writable && socket.write(line.repeat(100))) {}
        }
        socket.on('drain', send).on('error', () => {})
        socket.write('HTTP/1.1 200 OK\r\n')
        send()
      }),
    )
    const reading = readUrl(url, { firstMs: 2_000 })
    const greatest = greatestMemory('image2pipe', reading)
    expect(await reading).toEqual({ end: 'silent', sizes: [] })
    expect(await greatest).toBeLessThan(250)
  })

  it('never come from a local file to which a camera redirects', async () => {
    const redirect = { location: `file://${clip}` }
    const url = await serve((_, response) => void response.writeHead(302, redirect).end())
    expect(await readUrl(url)).toEqual({ end: 'ended', sizes: [] })
  })

  it('never come from a local file that a playlist names', async () => {
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${clip}\n#EXT-X-ENDLIST\n`
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'application/vnd.apple.mpegurl').end(playlist)
    })
    const { end, sizes } = await readUrl(`${url}/list.m3u8`)
    expect(sizes).toEqual([])
    expect(end).not.toBe('ended')
  })

  it.skipIf(process.platform !== 'linux')('stop with the signal, and no process is left', async () => {
    const stop = new AbortController()
    const children = () => descendantsOf(process.pid, clip)
    let during: Promise<number[]> | undefined
    const onFrame = () => {
      during ??= children().finally(() => stop.abort())
    }
    const input = { options: ['-re', '-stream_loop', '-1', '-i', clip] }
    expect(await read(input, { onFrame, signal: stop.signal })).toMatchObject({ end: 'stopped' })
    expect(await during).toHaveLength(1)
    expect(await children()).toEqual([])
  })
})
