/** Rule for the field `friend`: converts the options to the units of the metadata (microseconds). */
import type { FriendRule } from '../../metadata/queries/event-conditions.ts'
import type { Services } from '../services.ts'

/** The rule from the options `friend_count` (days) and `friend_interval` (seconds). */
export const friendRule = ({ options }: Pick<Services, 'options'>): FriendRule => ({
  days: options.friend_count,
  within: options.friend_interval * 1e6,
})
