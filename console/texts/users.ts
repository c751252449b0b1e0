/** Texts of the page with users and invitations. */
export const USER_TEXTS = {
  users: {
    intro:
      'People sign in with a passkey: fingerprint, face or PIN of their device. What they do is in the audit log under their name.',
    caption: 'People with access',
    columns: {
      name: 'Name',
      role: 'May',
      passkeys: 'Passkeys',
      used: 'Last use',
      sessions: 'Signed in',
      actions: 'Actions',
    },
    none: 'No person has access yet, except by tokens. Invite a person.',
    roles: {
      look: 'look',
      enrol: 'look and enrol',
      manage: 'manage all data',
      administer: 'administer',
    },
    invited: (time: string) => `Invited until ${time}`,
    lapsed: 'The invitation has ended',
    byProvider: 'Signs in at the OpenID provider',
    you: 'You',
    never: 'never',
    session: (since: string, used: string) => `since ${since}, used ${used}`,
    endSession: (name: string, since: string) => `End the session of ${name} since ${since}`,
    end: 'End',
    here: 'This browser',
    nowhere: 'nowhere',
    noPasskey: 'none',
    unnamed: 'Unknown device',
    made: (time: string) => `made ${time}`,
    lastUsed: (time: string) => `used ${time}`,
    unused: 'not used since',
    removePasskey: (device: string, name: string) => `Remove the passkey ${device}: ${name}`,
    link: 'New link',
    lost: 'Lost device',
    signOut: 'Sign out',
    remove: 'Remove',
    action: (action: string, name: string) => `${action}: ${name}`,
    endOwnQuestion: () => ({
      title: 'End your session?',
      text: 'This page signs you out.',
      confirm: 'End the session',
    }),
    removeQuestion: (name: string) => ({
      title: `Remove ${name}?`,
      text: 'Passkeys and sessions end now. The audit log keeps the name.',
      confirm: 'Remove the access',
      isDanger: true,
    }),
    linkQuestion: (name: string) => ({
      title: `A new link for ${name}?`,
      text: 'For another device. An earlier link ends. Passkeys stay: choose “Lost device” to end them.',
      confirm: 'Make the link',
    }),
    lostQuestion: (name: string) => ({
      title: `Has ${name} lost a device?`,
      text: 'All passkeys and sessions of all devices end now. A new link makes a new passkey.',
      confirm: 'End them and make the link',
      isDanger: true,
    }),
    lostDone: (name: string) =>
      `The passkeys and sessions of ${name} have ended. Only the new link lets them in.`,
    removePasskeyQuestion: (name: string) => ({
      title: `Remove this passkey of ${name}?`,
      text: 'All sessions end, too: each may be on that device. The other passkeys sign in again.',
      confirm: 'Remove the passkey',
      isDanger: true,
    }),
    signOutQuestion: (name: string) => ({
      title: `Sign ${name} out everywhere?`,
      text: 'All sessions end within 20 seconds. The passkey stays.',
      confirm: 'End the sessions',
    }),
    removed: (name: string) => `${name} no longer has access.`,
  },

  passkeyNotice: {
    label: 'No passkey',
    text: (day: string) =>
      day === ''
        ? 'You have no passkey to sign in with again.'
        : `You have no passkey, and this session ends on ${day}. Make one to sign in again.`,
    make: 'Make a passkey',
    insecure: 'A passkey needs an address with https',
  },

  invite: {
    title: 'Invite a person',
    name: 'Name',
    nameHint: 'As it will be in the audit log',
    role: 'May',
    roles: {
      look: 'look: search, compare, and see stored data',
      enrol: 'enrol: look, and add or change single faces and persons',
      manage: 'manage: all data, cameras and alerts',
      administer: 'administer: everything, also access and settings',
    },
    ends: 'The link works for',
    lifetimes: { 1: 'a day', 3: '3 days', 7: '7 days', 14: '14 days' },
    submit: 'Make an invitation',
  },

  invitation: {
    title: 'The invitation',
    text: 'Send this link only to this person. It works once, and this is the only time that it is shown.',
    label: 'Link',
    copy: 'Copy the link',
    local:
      'This service can be opened on this computer only: the link works here and nowhere else. It works once, and is not shown again.',
    localNote: 'Colleagues cannot open this service yet: its address works on this computer only.',
    localHelp: 'Use it from other computers and phones',
  },
}
