/** Which URLs of cameras are opened, and with which options of ffmpeg. */

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SourceRefused, sourceOf } from '#camera/frames/source.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'

const folder = realpathSync(sharedFolder())
const files = join(folder, 'clips')
mkdirSync(files)
writeFileSync(join(files, 'door.mp4'), '')
writeFileSync(join(folder, 'secret.mp4'), '')
symlinkSync(join(folder, 'secret.mp4'), join(files, 'link.mp4'))

describe('the URL of a camera', () => {
  it('is read over TCP for RTSP', async () => {
    const { options, stdin } = await sourceOf("rtsp://ann:pa'ss@10.0.0.9/1", {})
    expect(options.slice(-2)).toEqual(['-i', 'pipe:0'])
    expect(stdin).toContain(
      "\nfile 'rtsp://ann:pa'\\''ss@10.0.0.9/1'\noption rtsp_transport tcp\noption timeout",
    )
  })

  it('can open only protocols of its kind', async () => {
    const allowed = async (url: string) => {
      const { options, stdin } = await sourceOf(url, {})
      expect(options.join(' ')).toContain('-protocol_whitelist pipe -i')
      return /^option protocol_whitelist (.*)$/m.exec(stdin!)![1]!.split(',')
    }
    for (const url of ['rtsp://a/1', 'rtsps://a/1', 'http://a/1', 'https://a/1.m3u8'])
      expect(await allowed(url)).not.toContain('file')
  })

  it('is decoded by hardware if the operator says so', async () => {
    expect((await sourceOf('rtsp://a/1', { hwaccel: 'vaapi' })).options.slice(0, 2)).toEqual([
      '-hwaccel',
      'vaapi',
    ])
  })

  it.each(['door.mp4', 'file:///CLIPS/door.mp4', '/CLIPS/door.mp4'])(
    'is a file of the allowed folder, in real time and repeated: %s',
    async url => {
      const { options } = await sourceOf(url.replace('/CLIPS', files), { files })
      expect(options.join(' ')).toContain('-re -stream_loop -1 -protocol_whitelist file -format_whitelist')
      expect(options.at(-1)).toBe(`file:${join(files, 'door.mp4')}`)
    },
  )

  it('is a device only if the operator allows devices', async () => {
    expect((await sourceOf('/dev/video0', { devices: true })).options.at(-1)).toBe('/dev/video0')
    await expect(sourceOf('v4l2:/dev/video0', {})).rejects.toThrow('--devices')
  })

  it.each([
    'concat:/etc/passwd|/etc/shadow',
    'data:video/mp4;base64,AAAA',
    'pipe:0',
    'ftp://10.0.0.9/door.mp4',
    'rtsp:/etc/passwd',
    'http://10.0.0.9/\n-y',
    'rtsp://10.0.0.9/\0',
    '',
    '../secret.mp4',
    'link.mp4',
    'file://10.0.0.9/share/door.mp4',
    '/etc/passwd',
    '/dev/mem',
    '/dev/video0/../mem',
  ])('is refused: %s', async url => {
    await expect(sourceOf(url, { files })).rejects.toThrow(SourceRefused)
  })

  it('is refused for every file without an allowed folder, and not repeated in the message', async () => {
    for (const url of ['door.mp4', 'file:///srv/secret/door.mp4', 'http://ann:secret@/']) {
      const error = await sourceOf(url, {}).catch(error => error)
      expect(error).toBeInstanceOf(SourceRefused)
      expect(error.message).not.toContain('secret')
    }
  })
})
