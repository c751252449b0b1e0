/** Verbs that watch cameras: `mien watch` and `mqtt`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { environment } from '../../contract/environment.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { parseTimestamp } from '../../contract/timestamps.ts'
import { fraction, wholeNumber, withServiceAddress } from '../api/options.ts'
import { BROKER_CA, BROKER_LOGIN, topic } from '../cameras/broker-options.ts'
import { examples, lazyAction } from '../terminal/command-line.ts'

export function addWatch(mien: Command): void {
  const watch = mien
    .command('watch')
    .summary('Read cameras, and post an event for each visit of a person.')
    .description(
      'Read the enabled cameras of an owner with ffmpeg, and post an event for each visit of a person. ' +
        'Writes a log line for each event. Runs until Ctrl-C.',
    )
    .option('--detector <NAME>', 'watch the cameras with this detector (default: cameras without a detector)')
    .option('--fps <N>', 'frames a second of each camera, 1 to 30', framesPerSecond, 5)
    .option('--max-cameras <N>', 'cameras that this watcher takes at most', wholeNumber(1))
    .option(
      '--metrics <[HOST:]PORT>',
      'serve metrics for Prometheus at /metrics (default host: 127.0.0.1)',
      metricsAddress,
    )
    .option(
      '--threads <N>',
      'threads that analyse frames (default: half of the cores, at least 2 of them)',
      wholeNumber(1),
    )
  watch
    .optionsGroup('Sources:')
    .option('--hwaccel <NAME>', "ffmpeg's hardware decoder, for example auto, vaapi or cuda", decoderName)
    .option('--files <DIR>', 'allow files of this folder as cameras (default: none)')
    .option('--devices', 'allow video devices of this machine, for example /dev/video0')
    .option('--ffmpeg <FILE>', 'the program ffmpeg (default: ffmpeg of the PATH)')
  watch
    .optionsGroup('A recording, instead of cameras:')
    .option('--file <VIDEO>', 'read this video once, go on after an interruption, and end')
    .option('--camera <NAME>', 'name or id of its camera, whose options apply; a new name creates one')
    .option('--start <TIME>', 'time of its first picture, ISO 8601 (default zone: UTC)', pastTime)
  watch
    .optionsGroup('Visits:')
    .option(
      '--min-face <PIXELS>',
      'least side of a face',
      wholeNumber(PHOTO_LIMITS.detectedFaceSide),
      PHOTO_LIMITS.faceSide,
    )
    .option('--min-quality <Q>', 'least quality of a posted picture, 0 to 1', fraction, 0.2)
    .option('--absence <S>', 'seconds without the person that end a visit', wholeNumber(1), 5)
    .option('--longest <S>', 'seconds after which a longer visit is posted', wholeNumber(1), 60)
    .option('--no-early', 'post a visit at its end, with its best picture')
    .addOption(new Option('--early', 'the default').hideHelp())
    .option('--liveness <L>', 'least liveness of a posted face, 0 to 1 (default: any)', fraction)
  withServiceAddress(withFrigate(watch))
    .addHelpText(
      'after',
      examples(
        'mien watch',
        'mien watch --url http://10.0.0.5:8787 --token-file camera.token',
        'mien watch --file friday.mp4 --camera door --start 2026-11-27T18:00+01:00',
      ),
    )
    .action(lazyAction(() => import('../cameras/watch.ts'), 'runWatch'))
}

/** Unix milliseconds. */
function pastTime(text: string) {
  const micros = parseTimestamp(text)
  if (micros !== undefined && micros <= environment.now() * 1_000) return Math.floor(micros / 1_000)
  throw new InvalidArgumentError('Expected a time in the past, such as 2026-11-29T22:00+01:00.')
}

const MAX_FPS = 30

function framesPerSecond(text: string) {
  const value = Number(text)
  if (text.trim() !== '' && value >= 1 && value <= MAX_FPS) return value
  throw new InvalidArgumentError(`Expected a number from 1 to ${MAX_FPS}.`)
}

function metricsAddress(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits !== '' && port > 0 && port <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
  throw new InvalidArgumentError('Expected a port from 1 to 65535, or HOST:PORT.')
}

function decoderName(text: string) {
  if (/^[a-z0-9_]{1,32}$/.test(text)) return text
  throw new InvalidArgumentError('Expected a name that "ffmpeg -hwaccels" prints, or auto.')
}

/** Adds the options of Frigate. */
const withFrigate = (watch: Command) =>
  watch
    .optionsGroup('Frigate, instead of ffmpeg:')
    .option('--frigate <URL>', 'follow the events of Frigate at this broker: mqtt://HOST or mqtts://HOST')
    .option('--frigate-url <URL>', "Frigate's API without a login, for example http://10.0.0.9:5000")
    .option('--frigate-names', 'send Frigate the names of persons, as sub labels of its events')
    .option('--frigate-topic <PREFIX>', "Frigate's topic_prefix", topic, 'frigate')
    .option(...BROKER_LOGIN)
    .option(...BROKER_CA)

export function addMqtt(mien: Command): void {
  const mqtt = mien
    .command('mqtt')
    .summary('Publish the events of cameras to an MQTT broker, and to Home Assistant.')
    .description(
      'Publish the faces that cameras see, and who they are, to an MQTT broker. Home Assistant finds the cameras there. ' +
        'Writes a log line for each change of the connections. Runs until Ctrl-C.',
    )
  mqtt
    .optionsGroup('Broker:')
    .option('--broker <URL>', 'mqtt://HOST or mqtts://HOST (MIEN_MQTT_BROKER)')
    .option(...BROKER_LOGIN)
    .option(...BROKER_CA)
  mqtt
    .optionsGroup('Messages:')
    .option('--topic <BASE>', 'base topic', topic, 'mien')
    .option('--discovery <PREFIX>', "prefix of Home Assistant's discovery", topic, 'homeassistant')
    .option('--no-discovery', 'announce nothing to Home Assistant')
    .option(
      '--presence <ID...>',
      'persons with sensors in Home Assistant: presence, and last seen',
      (text, before: number[] = []) => [...before, wholeNumber(0)(text)],
    )
    .option('--no-names', 'leave names of persons out')
    .option('--no-pictures', 'leave links to pictures of faces out')
    .option('--footage', 'add links to snapshots and clips, which show bystanders')
  withServiceAddress(mqtt)
    .addHelpText(
      'after',
      examples(
        'mien mqtt --broker mqtt://127.0.0.1',
        'mien mqtt --broker mqtts://broker.lan --broker-login login.txt',
      ),
    )
    .action(lazyAction(() => import('../cameras/mqtt.ts'), 'runMqtt'))
}
