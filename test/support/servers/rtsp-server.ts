/** A small RTSP server (RFC 2326) that plays a clip of MPEG-2: RTP packets of ffmpeg, interleaved in the TCP connection. */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { listen } from '../processes.ts'

/** Static payload type 32: MPEG video. */
const SDP =
  'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=door\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\nm=video 0 RTP/AVP 32\r\na=control:trackID=0\r\n'

interface RtspServer {
  url: string
  /** Transports that clients asked for. */
  transports: string[]
  /** Cuts all streams. */
  close(): void
}

/** Headers of each answer, by the method of the request. */
const ANSWERS: Record<string, (transport: string) => string> = {
  OPTIONS: () => 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n',
  DESCRIBE: () => `Content-Type: application/sdp\r\nContent-Length: ${SDP.length}\r\n\r\n${SDP}`,
  SETUP: transport => `Transport: ${transport}\r\nSession: 1\r\n\r\n`,
  PLAY: () => 'Session: 1\r\n\r\n',
}

/** Port 0 is any free port. With `login`, clients need Digest authentication. */
export async function startRtspServer(clip: string, port = 0, login?: Login): Promise<RtspServer> {
  const sockets = new Set<Socket>()
  const players = new Set<() => void>()
  const transports: string[] = []
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', async chunk => {
      const request = chunk.toString('latin1')
      const [method = ''] = request.split(' ')
      const sequence = /^CSeq: (\d+)/im.exec(request)?.[1]
      if (sequence === undefined) return
      if (login && !isLoggedIn(request, login)) {
        const challenge = 'WWW-Authenticate: Digest realm="door", nonce="1"'
        socket.write(`RTSP/1.0 401 Unauthorized\r\nCSeq: ${sequence}\r\n${challenge}\r\n\r\n`)
        return
      }
      const transport = /^Transport: (\S+)/im.exec(request)?.[1] ?? ''
      if (transport) transports.push(transport)
      const headers = ANSWERS[method]?.(transport) ?? '\r\n'
      socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${headers}`)
      if (method !== 'PLAY') return
      const stop = await play(clip, socket)
      players.add(stop)
      socket.once('close', () => {
        if (players.delete(stop)) stop()
      })
      if (socket.destroyed && players.delete(stop)) stop()
    })
  })
  return {
    url: `rtsp://127.0.0.1:${await listen(server, port)}/door`,
    transports,
    close() {
      for (const stop of players) stop()
      players.clear()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

interface Login {
  user: string
  password: string
}

/** Digest authentication of RFC 2617, without `qop`. */
function isLoggedIn(request: string, { user, password }: Login) {
  const [method = '', uri = ''] = request.split(' ')
  const md5 = (text: string) => hash('md5', text)
  const response = md5(`${md5(`${user}:door:${password}`)}:1:${md5(`${method}:${uri}`)}`)
  return request.includes(`username="${user}"`) && request.includes(`response="${response}"`)
}

/** Sends the clip in real time, each RTP packet with the four bytes of channel 0. Returns the function that stops it. */
async function play(clip: string, socket: Socket) {
  const udp = createSocket('udp4')
  await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
  udp.on('message', packet => {
    const header = Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff])
    if (!socket.destroyed) socket.write(Buffer.concat([header, packet]))
  })
  const target = `rtp://127.0.0.1:${udp.address().port}`
  const child = spawn(
    'ffmpeg',
    ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'rtp', target],
    { stdio: 'ignore' },
  )
  const stop = () => {
    child.kill('SIGKILL')
    udp.close()
  }
  return stop
}
