import { expect, it } from 'vitest'
import { shownUrl } from '../../../../console/cameras/shown-url.ts'

it('shows the address of a stream without its user and password', () => {
  expect(shownUrl('rtsp://admin:secret@192.0.2.7:554/stream')).toBe('rtsp://192.0.2.7:554/stream')
  expect(shownUrl('rtsp://admin:p@ss@host/a')).toBe('rtsp://host/a')
  expect(shownUrl('http://host/a@b')).toBe('http://host/a@b')
  expect(shownUrl('/dev/video0')).toBe('/dev/video0')
})
