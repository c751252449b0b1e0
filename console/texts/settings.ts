/** Texts of the page Settings. */
import { formatCount, formatCounted, formatDate } from '../format.ts'

export const SETTINGS_TEXTS = {
  help: {
    link: 'Help',
    all: 'All pages of the documentation',
    guide: 'Guide',
    contents: 'Sections of the guide',
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
      backup: 'Backup',
    },
    appearance: 'Appearance',
    theme: 'Colours',
    themes: { '': 'As the system', light: 'Light', dark: 'Dark' },
    reading: 'About the service',
    elsewhere: 'Where to find',
    places: {
      'gender-age-and-emotions': 'Gender, age and emotions',
      alerts: 'E-mail (by webhook) and messages to phones',
      'use-it-from-other-computers-and-phones': 'Other computers and phones',
      'leaving-people': 'Deletion, and copies for people',
    } as Record<string, string>,
    later: (version: string) => `Version ${version} is out: how to upgrade`,
    notifications: 'A rule says about which people it sends a message, and where.',
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
    intro: 'A person groups faces that show the same person. New faces get one while this is on.',
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
        'On: a face is compared with all faces. Off: each camera has its own persons, and the faces without a camera have their own.',
      record_searches:
        'The audit log says who searched, compared, or looked at a person, and when. It has no photos.',
      person_identify_threshold:
        'Empty: a face joins a person when that is certain, and asks you when it is probable. A number from 0 to 1 decides without asking: a ' +
        'higher number splits the faces of one person into several persons more often, a lower number joins two people more often.',
    },
    value: (value: boolean | number | null) =>
      value === null ? 'not set' : typeof value === 'number' ? String(value) : value ? 'on' : 'off',
    origin: (isChanged: boolean) =>
      isChanged
        ? 'Some values were changed by a user or by the installation. A change takes effect within seconds.'
        : 'These are the initial values. A change takes effect within seconds.',
    reset: 'Back to the initial values',
    invalid: 'Least confidence: enter a number from 0 to 1, or nothing.',
    shared: 'Several owners share this service and its settings. Only the operator can change them.',
    existing: 'Stored faces stay as they are.',
    group: 'Group stored faces',
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
      'The service has no place for backups, so they cannot be made here. The start of the service names one: mien start --backup-to FOLDER',
    shared:
      'Several owners share this service and its backups. Only the operator can make one, and set the interval: mien backup REPOSITORY, mien settings set backup_hours HOURS',
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
