/** `mien mqtt`: publishes the events of cameras to an MQTT broker, and announces the cameras to Home Assistant. */
import type { Command } from 'commander'
import { withServiceAddress } from './api/options.ts'
import { BROKER_CA, BROKER_LOGIN, topic } from './cameras/broker-options.ts'
import type { MqttOptions } from './cameras/mqtt.ts'
import { action, examples } from './terminal/command-line.ts'

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
    .option('--no-names', 'leave names of persons out')
    .option('--no-pictures', 'leave links to pictures out')
  withServiceAddress(mqtt)
    .addHelpText(
      'after',
      examples(
        'mien mqtt --broker mqtt://127.0.0.1',
        'mien mqtt --broker mqtts://broker.lan --broker-login login.txt',
      ),
    )
    .action(action(async (options: MqttOptions) => (await import('./cameras/mqtt.ts')).runMqtt(options)))
}
