/** Discovery messages, and their templates in Jinja, which Home Assistant uses. Templates are skipped without Jinja. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bridgeDiscovery, cameraDiscovery, cameraDiscoveryTopic } from '#camera/mqtt/discovery.ts'
import { topicsOf } from '#camera/mqtt/topics.ts'

const PYTHON = '/usr/bin/python3'
const hasJinja = spawnSync(PYTHON, ['-c', 'import jinja2']).status === 0

const topics = topicsOf('home/mien')
const settings = { prefix: 'homeassistant', topics, version: '1.2.3', pictures: true }
const camera = { id: 'fb1c2902-d84a-4684-a10a-fd25e1ce0c8d', meta: 'front door' }

const read = ({ payload }: { payload: string }) => JSON.parse(payload)

/** Keys that Home Assistant allows in a device message. Source: DEVICE_DISCOVERY_SCHEMA in homeassistant/components/mqtt/schemas.py. */
const ALLOWED = ['device', 'origin', 'components', 'availability', 'qos']

describe('the discovery of a camera', () => {
  const message = cameraDiscovery(camera, settings)
  const config = read(message)

  it('is one message with the keys that Home Assistant knows, and unique ids', () => {
    expect(message.topic).toBe('homeassistant/device/mien_fb1c2902d84a4684a10afd25e1ce0c8d/config')
    expect(message.topic).toBe(cameraDiscoveryTopic('homeassistant', camera.id))
    for (const one of [config, read(bridgeDiscovery(settings))])
      expect(ALLOWED).toEqual(expect.arrayContaining(Object.keys(one)))
    const components = Object.values<Record<string, string>>(config.components)
    expect(components.map(({ platform }) => platform)).toEqual(['sensor', 'event', 'image', 'binary_sensor'])
    expect(new Set(components.map(({ unique_id }) => unique_id)).size).toBe(components.length)
  })

  it.skipIf(!hasJinja)(
    'has templates for a message, for one without a name, and for a deleted one',
    { tags: 'jinja' },
    () => {
      const { person, picture } = config.components
      const { face } = config.components
      const templates = [
        ...[person.value_template, person.json_attributes_template, picture.url_template],
        ...[picture.availability[1].value_template, face.value_template],
      ]
      /** Home Assistant gives `value_json` for JSON only. */
      const render = (value: unknown) => {
        const code =
          'import json, sys, jinja2\ntemplates, variables = json.load(sys.stdin)\n' +
          'print(json.dumps([jinja2.Template(t).render(**variables) for t in templates]))'
        const used = value === undefined ? templates.slice(0, 4) : templates
        const input = JSON.stringify([used, value === undefined ? {} : { value_json: value, value: 'x' }])
        const { stdout, stderr } = spawnSync(PYTHON, ['-c', code], { input, encoding: 'utf8' })
        expect(stderr).toBe('')
        return JSON.parse(stdout)
      }
      const known = { person: { id: 7, name: 'Ann' }, thumbnail: 'http://x/t' }
      const [name, attributes, url, ...others] = render(known)
      expect([name, JSON.parse(attributes), url]).toEqual(['Ann', known, 'http://x/t'])
      expect(others).toEqual(['online', 'x'])
      expect(render({ person: {} })[0]).toBe('unknown')
      expect(render({ person: { name: 'a'.repeat(400) } })[0]).toHaveLength(255)
      expect(render({ person: {} }).slice(2, 4)).toEqual(['http://mien.invalid', 'offline'])
      expect(render(undefined)).toEqual(['None', '{}', 'http://mien.invalid', 'offline'])
      const updated = { person: {}, event_type: 'known', updated: true }
      const events = [updated, { ...updated, was: 'known' }, { ...updated, was: 'unknown' }]
      expect(events.map(event => render(event)[4])).toEqual(['', '', 'x'])
    },
  )
})
