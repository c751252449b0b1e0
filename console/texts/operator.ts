/** Texts of the page for operators. */
import { formatCount, formatDate } from '../format.ts'

export const OPERATOR_TEXTS = {
  operator: {
    title: 'Service',
    intro: (owner: string) => `Who has access to the data of ${owner}, and the state of the service.`,
    label: 'Parts of the page',
    sections: {
      tokens: 'Tokens',
      people: 'People with access',
      'audit-log': 'Audit log',
      state: 'State',
    },
  },

  tokens: {
    caption: 'Tokens of the owner',
    columns: {
      name: 'Name',
      scope: 'Scope',
      used: 'Last use',
      ends: 'Ends',
      rate: 'Rate',
      actions: 'Actions',
    },
    none: 'There are no tokens.',
    unnamed: 'No name',
    id: (id: string) => `Id ${id}`,
    current: 'This session',
    never: 'never',
    now: 'now',
    ended: (time: string) => `ended ${formatDate(time)}`,
    perSecond: (rate: number) => `${formatCount(rate)} per second`,
    showEnded: (count: number) => `Show ${formatCount(count)} that ended`,
    hideEnded: 'Hide ended tokens',
    rotate: 'Rotate',
    revoke: 'Revoke',
    action: (action: string, name: string, id: string) => `${action} ${name || id}`,
    revokeQuestion: (name: string) => ({
      title: `Revoke ${name}?`,
      text: 'Programs with this token are refused within 20 seconds. This cannot be undone.',
      confirm: 'Revoke the token',
      isDanger: true,
    }),
    revoked: (name: string) => `${name} is revoked.`,
    rotateQuestion: (name: string) => ({
      title: `Rotate ${name}?`,
      text: 'A new token takes its place, with the same name, scope, rate and lifetime. The old one stays valid for a while.',
      confirm: 'Create the replacement',
    }),
    grace: 'The old token stays valid for',
    graces: { 0: 'no time', 1: '1 hour', 24: '24 hours', 168: '7 days', 720: '30 days' },
  },

  createToken: {
    title: 'Create a token',
    name: 'Name',
    nameHint: 'Such as “front door”',
    scope: 'Scope',
    scopes: {
      read: 'read: detect, compare, search, list',
      enrol: 'enrol: read, and add or change single faces',
      camera: 'camera: post faces only',
      manage: 'manage: all data, cameras and alerts',
      admin: 'admin: everything',
    },
    expires: 'Expires',
    lifetimes: { 0: 'never', 7: 'in 7 days', 30: 'in 30 days', 90: 'in 90 days', 365: 'in a year' },
    rate: 'Requests per second',
    rateHint: 'Default',
    rateInvalid: 'Requests per second: enter a number from 0.001 to 1,000,000, or nothing.',
    submit: 'Create the token',
  },

  secret: {
    title: 'The new token',
    text: 'Copy it now. The service does not keep its text, and this is the only time that it is shown.',
    label: 'Token',
    copy: 'Copy the token',
  },

  audit: {
    caption: 'Changes of the data of the owner, newest first',
    columns: { seq: 'Entry', time: 'Time', what: 'What happened', subject: 'Details' },
    more: 'Show older entries',
    save: 'Save as CSV',
    actor: 'Who',
    everyActor: 'All actors',
    action: 'What',
    everyAction: 'All actions',
    day: 'Day',
    only: (object: string) => `Filter: ${object}`,
    olderLeftOut: 'Older entries are not in this file.',
    times: (count: number) => (count > 1 ? `, ${formatCount(count)} times` : ''),
    none: 'Nothing was changed yet.',
    noMatch: 'No entry meets the filter.',
    verifying: (to: number, last: number) => `Verifying entry ${formatCount(to)} of ${formatCount(last)} …`,
    intact: (from: number, to: number) =>
      from > 1
        ? `Chain verified from entry ${formatCount(from)} up to entry ${formatCount(to)}. Older entries were pruned.`
        : `Chain verified up to entry ${formatCount(to)}.`,
    empty: 'The log is empty.',
    broken: (fault: string, to: number) =>
      `The log was changed: ${fault}. It is right up to entry ${formatCount(to)}.`,
    whole: 'The chain covers the entries of all owners. This page shows your entries.',
  },

  state: {
    service: 'Service',
    version: 'Version',
    pack: 'Models',
    embedder: 'Recognition',
    started: 'Running since',
    disk: 'Disk',
    diskOk: 'has room',
    diskFull: 'full: writes are refused',
    store: 'Stored faces',
    whole: 'Searches look at all of them.',
    partly: 'A part of them cannot be reached now, and searches do not find it.',
    search: 'Search',
    parts: 'Parts of the store',
    shards: (live: number, total: number) => `${formatCount(live)} of ${formatCount(total)} answer`,
    shard: (number: number, isUp: boolean) =>
      `Part ${formatCount(number)}: ${isUp ? 'answers' : 'does not answer'}`,
    durations: 'Response times since the start',
    durationsHint: 'Estimates, for requests of all owners.',
    columns: { operation: 'Operation', p50: 'Half within', p99: '99 of 100 within' },
    noDurations: 'Nothing was counted yet.',
    ms: (seconds: number) => `${formatCount(Math.round(seconds * 1000))} ms`,
    refresh: 'Refresh',
  },
}
