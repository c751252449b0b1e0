/** Discovery messages, and their templates in Jinja, which Home Assistant uses. Templates are skipped without Jinja. */
import { spawnSync } from 'node:child_process'
import {
  bridgeDiscovery,
  cameraDiscovery,
  cameraDiscoveryTopic,
  personDiscovery,
  personDiscoveryTopic,
} from '#camera/mqtt/discovery.ts'
import { topicsOf } from '#camera/mqtt/topics.ts'

const PYTHON = '/usr/bin/python3'
const hasJinja = spawnSync(PYTHON, ['-c', 'import jinja2']).status === 0

const topics = topicsOf('home/mien')
const settings = { prefix: 'homeassistant', topics, version: '1.2.3', pictures: true }
const camera = { id: 'fb1c2902-d84a-4684-a10a-fd25e1ce0c8d', meta: 'front door' }

const read = ({ payload }: { payload: string }) => JSON.parse(payload)

/** Keys that Home Assistant allows in a device message. Source: DEVICE_DISCOVERY_SCHEMA in homeassistant/components/mqtt/schemas.py. */
const ALLOWED = ['device', 'origin', 'components', 'availability', 'qos']

/** The functions that Home Assistant gives to templates, as far as ours use them. */
const SCRIPT = `
import datetime, json, sys, jinja2
templates, values = json.load(sys.stdin)
environment = jinja2.Environment()
environment.globals.update(
  now=lambda: datetime.datetime.now(datetime.timezone.utc),
  as_datetime=datetime.datetime.fromisoformat,
  timedelta=datetime.timedelta,
)
print(json.dumps([[environment.from_string(t).render(**v) for t in templates] for v in values]))`

/** The templates for each value. Home Assistant gives `value_json` for JSON only. */
function rendered(templates: readonly string[], values: readonly unknown[]): string[][] {
  const variables = values.map(value => (value === undefined ? {} : { value_json: value, value: 'x' }))
  const input = JSON.stringify([templates, variables])
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', SCRIPT], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

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
        person.value_template,
        person.json_attributes_template,
        picture.url_template,
        picture.availability[1].value_template,
        face.value_template,
      ]
      const known = { person: { id: 7, name: 'Ann' }, thumbnail: 'http://x/t' }
      const updated = { person: {}, event_type: 'known', updated: true }
      const [first, nameless, long, ...events] = rendered(templates, [
        known,
        { person: {} },
        { person: { name: 'a'.repeat(400) } },
        updated,
        { ...updated, was: 'known' },
        { ...updated, was: 'unknown' },
      ])
      expect(first).toEqual(['Ann', expect.any(String), 'http://x/t', 'online', 'x'])
      expect(JSON.parse(first![1]!)).toEqual(known)
      expect(nameless![0]).toBe('unknown')
      expect(nameless!.slice(2, 4)).toEqual(['http://mien.invalid', 'offline'])
      expect(long![0]).toHaveLength(255)
      expect(events.map(([, , , , face]) => face)).toEqual(['', '', 'x'])
      const deleted = ['None', '{}', 'http://mien.invalid', 'offline']
      expect(rendered(templates.slice(0, 4), [undefined])).toEqual([deleted])
    },
  )
})

describe('the discovery of a person', () => {
  const message = personDiscovery({ id: 7, name: 'Ann' }, settings)
  const { device, components, ...config } = read(message)

  it('has sensors for presence and the last sighting under the name, or the number without one', () => {
    expect(message.topic).toBe('homeassistant/device/mien_bridge_home_mien_person_7/config')
    expect(message.topic).toBe(personDiscoveryTopic(settings, 7))
    expect(ALLOWED).toEqual(expect.arrayContaining(Object.keys(config)))
    expect(device).toMatchObject({ name: 'Ann', via_device: 'mien_bridge_home_mien' })
    expect(read(personDiscovery({ id: 7, name: '' }, settings)).device.name).toBe('Person 7')
    for (const { state_topic } of [components.presence, components.last_seen])
      expect(state_topic).toBe('home/mien/person/7/seen')
  })

  it.skipIf(!hasJinja)('is present for ten minutes after a sighting', { tags: 'jinja' }, () => {
    const templates = [components.presence.value_template, components.last_seen.value_template]
    const ago = (minutes: number) => ({ time: new Date(Date.now() - minutes * 60_000).toISOString() })
    const times = [ago(9), ago(11)]
    expect(rendered(templates, [...times, undefined])).toEqual([
      ['ON', times[0]!.time],
      ['OFF', times[1]!.time],
      ['OFF', 'None'],
    ])
    expect(components.presence.off_delay).toBe(600)
  })
})
