/** Messages of Home Assistant's MQTT discovery: one device for the bridge, one for each camera, and one for each person with sensors. */
import type { Camera } from '../../clients/typescript/src/index.ts'
import { EVENT_TYPES } from './sighting.ts'
import type { Topics } from './topics.ts'

export interface DiscoveryMessage {
  topic: string
  payload: string
}

export interface DiscoverySettings {
  /** Home Assistant's prefix, `homeassistant` by default there. */
  prefix: string
  topics: Topics
  /** Version of Mien. */
  version: string
  pictures: boolean
}

/** Characters of a sensor's state in Home Assistant. */
const STATE_LENGTH = 255

/** A deleted message is empty: then the sensor is unknown, and has no attributes. */
const NAME = `{{ (value_json.person.name | default('unknown'))[:${STATE_LENGTH}] if value_json is defined else None }}`
const ATTRIBUTES_TEMPLATE = '{{ (value_json if value_json is defined else {}) | tojson }}'
/** Home Assistant reports an error for a text that is no URL: a message without a picture has a URL that leads nowhere. */
const HAS_PICTURE = 'value_json is defined and value_json.thumbnail is defined'
const PICTURE = `{{ value_json.thumbnail if ${HAS_PICTURE} else 'http://mien.invalid' }}`
const PICTURE_THERE = `{{ 'online' if ${HAS_PICTURE} else 'offline' }}`
/** Home Assistant ignores an empty text: a better picture is no further event, unless the person has got a name. */
const EVENT =
  "{{ '' if value_json.updated | default(false) and value_json.was | default(value_json.event_type) == value_json.event_type else value }}"

/** Seconds for which a person is present after a camera has seen them. */
const PRESENT_S = 600

/** A retained message may be old. */
const PRESENT = `{{ 'ON' if value_json is defined and now() - as_datetime(value_json.time) < timedelta(seconds=${PRESENT_S}) else 'OFF' }}`
const TIME = '{{ value_json.time if value_json is defined else None }}'

/** A test of a rule has no face, and is no event. */
const ALERT = "{{ value if value_json.event_type is defined else '' }}"

/** Id of the camera's device. */
const deviceOf = (camera: string) => `mien_${camera.replaceAll('-', '')}`
const bridgeOf = ({ base }: Topics) => `mien_bridge_${base.replaceAll('/', '_')}`

export const cameraDiscoveryTopic = (prefix: string, camera: string): string =>
  `${prefix}/device/${deviceOf(camera)}/config`

export function bridgeDiscovery({ prefix, topics, version }: DiscoverySettings): DiscoveryMessage {
  const id = bridgeOf(topics)
  return message(prefix, id, {
    device: { identifiers: [id], name: `Mien (${topics.base})`, manufacturer: 'Mien', sw_version: version },
    origin: { name: 'Mien', sw_version: version },
    components: {
      connected: {
        platform: 'binary_sensor',
        unique_id: `${id}_connected`,
        name: 'Connected',
        device_class: 'connectivity',
        entity_category: 'diagnostic',
        state_topic: topics.state,
        payload_on: 'online',
        payload_off: 'offline',
      },
      alert: {
        platform: 'event',
        unique_id: `${id}_alert`,
        name: 'Alert',
        icon: 'mdi:bell-ring',
        state_topic: topics.alert('+'),
        event_types: EVENT_TYPES,
        value_template: ALERT,
      },
    },
    qos: 1,
  })
}

export function cameraDiscovery(
  { id: camera, meta }: Pick<Camera, 'id' | 'meta'>,
  settings: DiscoverySettings,
): DiscoveryMessage {
  const { topics, pictures } = settings
  const id = deviceOf(camera)
  const person = topics.person(camera)
  return deviceMessage(settings, id, {
    name: meta || `Camera ${camera.slice(0, 8)}`,
    components: {
      person: {
        platform: 'sensor',
        unique_id: `${id}_person`,
        name: 'Last person',
        icon: 'mdi:account',
        state_topic: person,
        value_template: NAME,
        json_attributes_topic: person,
        json_attributes_template: ATTRIBUTES_TEMPLATE,
      },
      face: {
        platform: 'event',
        unique_id: `${id}_face`,
        name: 'Face',
        icon: 'mdi:face-recognition',
        state_topic: topics.event(camera),
        event_types: EVENT_TYPES,
        value_template: EVENT,
      },
      // A platform alone removes the entity.
      picture: {
        platform: 'image',
        ...(pictures && {
          unique_id: `${id}_picture`,
          name: 'Last face',
          url_topic: person,
          url_template: PICTURE,
          availability: [{ topic: topics.state }, { topic: person, value_template: PICTURE_THERE }],
          availability_mode: 'all',
        }),
      },
      enabled: {
        platform: 'binary_sensor',
        unique_id: `${id}_enabled`,
        name: 'Enabled',
        entity_category: 'diagnostic',
        state_topic: topics.enabled(camera),
      },
    },
  })
}

const personDevice = (topics: Topics, person: number) => `${bridgeOf(topics)}_person_${person}`

export const personDiscoveryTopic = ({ prefix, topics }: DiscoverySettings, person: number): string =>
  `${prefix}/device/${personDevice(topics, person)}/config`

/** `name`: empty if unknown or not to be told. */
export function personDiscovery(
  { id: person, name }: { id: number; name: string },
  settings: DiscoverySettings,
): DiscoveryMessage {
  const { topics } = settings
  const id = personDevice(topics, person)
  const seen = topics.seen(person)
  return deviceMessage(settings, id, {
    name: name || `Person ${person}`,
    components: {
      presence: {
        platform: 'binary_sensor',
        unique_id: `${id}_presence`,
        name: 'Presence',
        device_class: 'presence',
        state_topic: seen,
        value_template: PRESENT,
        off_delay: PRESENT_S,
      },
      last_seen: {
        platform: 'sensor',
        unique_id: `${id}_last_seen`,
        name: 'Last seen',
        device_class: 'timestamp',
        state_topic: seen,
        value_template: TIME,
        json_attributes_topic: seen,
        json_attributes_template: ATTRIBUTES_TEMPLATE,
      },
    },
  })
}

/** The message of a device that is reached over the bridge. */
const deviceMessage = (
  { prefix, topics, version }: DiscoverySettings,
  id: string,
  { name, components }: { name: string; components: object },
): DiscoveryMessage =>
  message(prefix, id, {
    device: { identifiers: [id], name, manufacturer: 'Mien', via_device: bridgeOf(topics) },
    origin: { name: 'Mien', sw_version: version },
    components,
    availability: [{ topic: topics.state }],
    qos: 1,
  })

const message = (prefix: string, id: string, payload: object): DiscoveryMessage => ({
  topic: `${prefix}/device/${id}/config`,
  payload: JSON.stringify(payload),
})
