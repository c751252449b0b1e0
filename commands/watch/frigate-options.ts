/** Options of `mien watch --frigate`. */
import type { Command } from 'commander'
import { BROKER_CA, BROKER_LOGIN, type BrokerOptions, topic } from '../mqtt/broker-options.ts'

export interface FrigateOptions extends BrokerOptions {
  /** URL of the broker. */
  frigate?: string
  frigateUrl?: string
  frigateTopic: string
}

/** Adds the options of Frigate. */
export const withFrigate = (watch: Command): Command =>
  watch
    .optionsGroup('Frigate, instead of ffmpeg:')
    .option('--frigate <URL>', 'follow the events of Frigate at this broker: mqtt://HOST or mqtts://HOST')
    .option('--frigate-url <URL>', "Frigate's API without a login, for example http://10.0.0.9:5000")
    .option('--frigate-topic <PREFIX>', "Frigate's topic_prefix", topic, 'frigate')
    .option(...BROKER_LOGIN)
    .option(...BROKER_CA)
