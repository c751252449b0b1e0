/** Texts of the page for operators. */
import { formatCount, formatDate, formatMegabytes } from '../format.ts'

/** The rates are those of docs/accuracy.md#detection. */
const BETTER_DETECTOR = 'Finds 84 of 100 faces in photos of crowds, in a third of the time.'
const STANDARD_DETECTOR = 'Finds 74 of 100 faces in photos of crowds. Part of every installation.'

const megabytes = (bytes: number): string => `${formatMegabytes(bytes)} MB`

export const OPERATOR_TEXTS = {
  operator: {
    title: 'Service',
    intro: (owner: string) => `Tokens and rules of the owner ${owner}, and the state of the service.`,
    label: 'Parts of the page',
    sections: {
      tokens: 'Tokens',
      people: 'People with access',
      retention: 'Retention',
      persons: 'Persons',
      'audit-log': 'Audit log',
      detector: 'Detector',
      calibration: 'Calibration',
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
    unnamed: 'No name',
    id: (id: string) => `Id ${id}`,
    current: 'This session',
    never: 'never',
    now: 'now',
    ended: (time: string) => `ended ${formatDate(time)}`,
    perSecond: (rate: number) => `${formatCount(rate)} per second`,
    showEnded: (count: number) => `Show ${formatCount(count)} that ended`,
    hideEnded: 'Hide those that ended',
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
      admin: 'admin: everything',
    },
    expires: 'Expires',
    lifetimes: { 0: 'never', 7: 'in 7 days', 30: 'in 30 days', 90: 'in 90 days', 365: 'in a year' },
    rate: 'Requests per second',
    rateHint: 'Default',
    rateInvalid: 'Requests per second: enter a number above 0, or nothing.',
    submit: 'Create the token',
  },

  secret: {
    title: 'The new token',
    text: 'Copy it now. The service does not keep its text, and this is the only time that it is shown.',
    label: 'Token',
    copy: 'Copy the token',
  },

  retention: {
    intro: 'The service deletes faces this many days after their enrolment. 0 or nothing: never.',
    galleries: 'Galleries',
    defaultHint: 'Faces in no other gallery and of no camera',
    cameras: 'Cameras',
    noCameras: 'There are no cameras.',
    camera: (meta: string | undefined, id: string) => meta || `Camera ${id.slice(0, 8)}`,
    days: (name: string) => `Days for ${name}`,
    unit: 'days',
    saveFor: (name: string) => `Save the retention of ${name}`,
    saved: (name: string, days: number) =>
      days === 0 ? `${name} keeps faces for ever.` : `${name} keeps faces for ${formatCount(days)} days.`,
    invalid: 'Enter a whole number of days from 0 to 36,500.',
    question: (name: string, days: number) => ({
      title: `Change the retention of ${name}?`,
      text: `Faces enrolled more than ${formatCount(days)} days ago are deleted from every gallery within minutes. This cannot be undone.`,
      confirm: 'Change the retention',
      isDanger: true,
    }),
    more: (count: number) => `Show ${formatCount(count)} more`,
  },

  personSettings: {
    intro: 'A person groups the faces of one human. New faces get one while this is on.',
    names: {
      person_identify: 'Give new faces a person',
      person_identify_global: 'Recognise people across cameras',
      person_identify_threshold: 'Least confidence',
      record_searches: 'Record who looks',
    },
    hints: {
      person_identify:
        'Each new face joins the most similar person, or founds a new one. Blurred and dark faces found none.',
      person_identify_global:
        'On: a face is compared with all faces. Off: each camera has its own persons, and so have the faces without a camera.',
      record_searches:
        'The audit log says who searched, compared, or looked at a person, and when. It has no photos.',
      person_identify_threshold:
        'From 0 to 1. A higher number splits one human into several persons more often, a lower one joins two humans more often.',
    },
    value: (value: boolean | number) => (typeof value === 'number' ? String(value) : value ? 'on' : 'off'),
    origin: (isChanged: boolean) =>
      isChanged
        ? 'Some values were changed. A change takes effect within seconds.'
        : 'These are the initial values. A change takes effect within seconds.',
    reset: 'Back to the initial values',
    invalid: 'Least confidence: enter a number from 0 to 1.',
    shared:
      'Several owners share this service and its settings, so they cannot be changed here. Its operator can.',
    existing: 'Stored faces stay as they are.',
    group: 'Group stored faces',
  },

  audit: {
    caption: 'Changes of the data of the owner, newest first',
    columns: { seq: 'Entry', time: 'Time', what: 'What happened', subject: 'Details' },
    more: 'Show older entries',
    none: 'Nothing was changed yet.',
    verifying: (to: number, last: number) => `Verifying entry ${formatCount(to)} of ${formatCount(last)} …`,
    intact: (from: number, to: number) =>
      from > 1
        ? `Chain verified from entry ${formatCount(from)} up to entry ${formatCount(to)}. Older entries were pruned.`
        : `Chain verified up to entry ${formatCount(to)}.`,
    empty: 'The log is empty.',
    broken: (fault: string, to: number) =>
      `The log was changed: ${fault}. It is right up to entry ${formatCount(to)}.`,
    whole: 'The chain covers the entries of all owners. Here are those of yours.',
  },

  detector: {
    intro:
      'The detector finds the faces on photos. Stored faces stay as they are when it changes. ' +
      'The change takes effect within seconds, and photos in progress are not interrupted.',
    name: (pack: string) =>
      ({ standard: 'BlazeFace and SSD', mobilefacenet: 'BlazeFace and SSD', yunet: 'YuNet' })[pack] ?? pack,
    about: (pack: string) =>
      ({
        standard: STANDARD_DETECTOR,
        mobilefacenet: STANDARD_DETECTOR,
        yunet: `${BETTER_DETECTOR} The standard detector finds 74.`,
      })[pack] ?? 'A pack that was added to this service.',
    state: 'State',
    inUse: 'in use',
    files: { verified: 'there, verified', missing: 'not downloaded', damaged: 'damaged' },
    size: 'Download',
    bytes: megabytes,
    included: 'none',
    licence: 'Licence',
    pack: 'Pack',
    use: (name: string, isMissing: boolean) => (isMissing ? `Download and use ${name}` : `Use ${name}`),
    downloading: 'Downloading …',
    progress: (name: string) => `Download of ${name}`,
    failed:
      'The download failed, and the detector in use stays. Try again to continue it. The log of the service says why ' +
      '(detector not downloaded).',
    fixed: {
      start: 'The start of the service names the pack (--pack or MIEN_PACK), so it cannot be changed here.',
      owners:
        'Several owners share this service and its detector, so it cannot be changed here. The operator can, without a restart: mien models use yunet',
    },
    elsewhere:
      'Every edge of this service loads the detector from core. For Cloudflare, deploy with the pack too: a new isolate then starts with it.',
    offer: (bytes: number, licence: string) =>
      `A better detector can be had, YuNet (${megabytes(bytes)}, ${licence}). ${BETTER_DETECTOR} The present one finds 74.`,
    used: 'YuNet is in use.',
    settings: 'All detectors',
  },

  calibration: {
    title: 'From scores to confidences',
    text: (table: string) => `Table in use: ${table}`,
    tables: { default: 'default', alike: 'alike', site: 'measured at this site' },
    score: 'Score',
    confidence: 'Confidence',
    chart: (marks: string) => `A rising curve from scores to confidences. ${marks}`,
    mark: (name: string, score: string, confidence: string) =>
      `${name} is confidence ${confidence}, reached at score ${score}.`,
    thresholds: 'Named thresholds',
    columns: {
      name: 'Threshold',
      confidence: 'Confidence',
      fmr: 'Strangers that match',
      tmr: 'Same person matches',
    },
    oneIn: (count: number) => `1 in ${formatCount(count)}`,
    unknown: 'not measured',
    none: 'The service reports no calibration.',
  },

  state: {
    service: 'Service',
    version: 'Version',
    pack: 'Models',
    embedder: 'Numbers of faces',
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
    backup: 'Backup',
    completed: (time: string) => `Complete on ${formatDate(time)}`,
    unfinished: (time: string) => `A backup began on ${formatDate(time)} and is not complete.`,
    failed: (time: string) =>
      `A backup failed on ${formatDate(time)}. To see why: mien backup --to REPOSITORY`,
    noBackup: 'There was no backup yet. To make one: mien backup --to REPOSITORY',
    drilled: (time: string) => `Restored and compared on ${formatDate(time)}, without a fault`,
    noDrill: 'No drill has succeeded yet. To run one: mien backup drill REPOSITORY',
    durations: 'Response times since the start',
    durationsHint: 'Estimates, for requests of all owners.',
    columns: { operation: 'Operation', p50: 'Half within', p99: '99 of 100 within' },
    noDurations: 'Nothing was counted yet.',
    ms: (seconds: number) => `${formatCount(Math.round(seconds * 1000))} ms`,
    refresh: 'Refresh',
  },
}
