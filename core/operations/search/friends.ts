/** Friends: the rule of the configuration, in the units that the metadata counts in. */
import type { FriendRule } from '../../metadata/queries/friends.ts'
import type { Services } from '../services.ts'

export const friendRule = ({ options }: Pick<Services, 'options'>): FriendRule => ({
  days: options.friend_count,
  within: options.friend_interval * 1e6,
})
