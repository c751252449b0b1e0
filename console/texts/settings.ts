/** Texts of the page Settings. */
import { formatCount, formatCounted, formatDate, formatMegabytes } from '../format.ts'

/** The rates are those of docs/accuracy.md#detection. */
const BETTER_DETECTOR = 'Finds 84 of 100 faces in photos of crowds, in a third of the time.'
const STANDARD_DETECTOR = 'Finds 74 of 100 faces in photos of crowds. Part of every installation.'

const megabytes = (bytes: number): string => `${formatMegabytes(bytes)} MB`

export const SETTINGS_TEXTS = {
  help: {
    link: 'Help',
    all: 'All pages of the documentation',
    missing: 'There is no such page of the documentation.',
  },

  settings: {
    title: 'Settings',
    intro: 'How the service works, and how this page looks.',
    label: 'Parts of the settings',
    sections: {
      general: 'General',
      persons: 'Persons',
      privacy: 'Privacy',
      notifications: 'Notifications',
      detector: 'Detector',
      backup: 'Backup',
    },
    appearance: 'Appearance',
    theme: 'Colours',
    themes: { '': 'As the system', light: 'Light', dark: 'Dark' },
    reading: 'About the service',
    later: (version: string) => `Version ${version} is out: how to upgrade`,
    notifications: 'A rule says whom the cameras have to see for a message, and where the message goes.',
    rules: 'Rules and messages',
  },

  retention: {
    intro: 'The service deletes faces this many days after their enrolment. 0 or nothing: never.',
    galleries: 'Galleries',
    others: 'All other faces',
    defaultHint: 'Faces in no other gallery and of no camera',
    cameras: 'Cameras',
    noCameras: 'There are no cameras.',
    camera: (meta: string | undefined, id: string) => meta || `Camera ${id.slice(0, 8)}`,
    days: (name: string) => `Days for ${name}`,
    unit: 'days',
    saveFor: (name: string) => `Save the retention of ${name}`,
    saved: (name: string, days: number) =>
      days === 0 ? `${name} keeps faces for ever.` : `${name} keeps faces for ${formatCounted(days, 'day')}.`,
    invalid: 'Enter a whole number of days from 0 to 36,500.',
    question: (name: string, days: number) => ({
      title: `Change the retention of ${name}?`,
      text: `Faces enrolled more than ${formatCounted(days, 'day')} ago are deleted from every gallery within minutes. This cannot be undone.`,
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
        ? 'Some values were set, by somebody or by the installation. A change takes effect within seconds.'
        : 'These are the initial values. A change takes effect within seconds.',
    reset: 'Back to the initial values',
    invalid: 'Least confidence: enter a number from 0 to 1.',
    shared:
      'Several owners share this service and its settings, so they cannot be changed here. Its operator can.',
    existing: 'Stored faces stay as they are.',
    group: 'Group stored faces',
  },

  detector: {
    intro:
      'The detector finds the faces on photos. Stored faces stay as they are when it changes. ' +
      'The change takes effect within seconds, and photos in progress are not interrupted.',
    name: (pack: string) =>
      ({ standard: 'BlazeFace and MTCNN', mobilefacenet: 'BlazeFace and MTCNN', yunet: 'YuNet' })[pack] ??
      pack,
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

  backup: {
    title: 'Backups',
    help: 'How to make backups and to restore them',
    completed: (time: string) => `Complete on ${formatDate(time)}`,
    unfinished: (time: string) => `A backup began on ${formatDate(time)} and is not complete.`,
    failed: (time: string) =>
      `A backup failed on ${formatDate(time)}. To see why: mien backup --to REPOSITORY`,
    noBackup: 'There was no backup yet.',
    noPlace:
      'The service has no place for backups, so they cannot be made here. Who starts it can name one: mien start --backup-to FOLDER',
    now: 'Back up now',
    waiting: 'The backup begins within seconds …',
    interval: 'Make backups',
    every: (hours: number) =>
      ({ 0: 'only on request', 1: 'every hour', 24: 'every day', 168: 'every week' })[hours] ??
      `every ${formatCount(hours)} hours`,
    drilled: (time: string) => `Restored and compared on ${formatDate(time)}, without a fault`,
    noDrill: 'No drill has succeeded yet. To run one: mien backup drill REPOSITORY',
  },
}
