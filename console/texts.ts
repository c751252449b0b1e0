/** All texts of the console. A translation replaces this file and the folder `texts/`. */
import { formatCount, formatCounted } from './format.ts'
import { ALERT_TEXTS } from './texts/alerts.ts'
import { CAMERA_TEXTS } from './texts/cameras.ts'
import { GALLERY_TEXTS } from './texts/galleries.ts'
import { OPERATOR_TEXTS } from './texts/operator.ts'
import { PERSON_TEXTS } from './texts/persons.ts'
import { SETTINGS_TEXTS } from './texts/settings.ts'
import { TRY_TEXTS } from './texts/try.ts'
import { USER_TEXTS } from './texts/users.ts'

export const TEXTS = {
  name: 'Mien',
  tagline: 'Finds faces on photos, compares them, stores them and searches for them.',
  cancel: 'Cancel',
  clear: 'Clear',
  copy: 'Copy',
  details: 'Details',
  copied: 'Copied',
  done: 'Done',
  save: 'Save',
  saving: 'Saving …',
  saved: 'Saved.',
  retry: 'Try again',
  loading: 'Loading …',
  photo: 'Photo',

  navigation: {
    label: 'Pages',
    try: 'Who is this?',
    compare: 'Compare',
    galleries: 'Galleries',
    persons: 'Persons',
    events: 'Events',
    cameras: 'Cameras',
    alerts: 'Alerts',
    service: 'Service',
    settings: 'Settings',
    signOut: 'Sign out',
    skip: 'Skip to the content',
  },

  noPages: {
    title: 'No page for this token',
    text: (scope: string) => `A token of the scope ${scope} is for programs. Sign in with another token.`,
  },

  search: {
    label: 'Search',
    placeholder: 'Search',
    results: 'Results of the search',
    persons: 'People',
    names: 'Names of faces',
    galleries: 'Galleries',
    cameras: 'Cameras',
    pages: 'Pages',
    nothing: (text: string) => `Nothing is called ${text}.`,
  },

  documents: {
    label: 'Documentation',
    tryOut: (version: string) => `API ${version}`,
    openapi: (version: string) => `OpenAPI ${version}`,
  },

  signIn: {
    title: 'Sign in',
    hint: 'Enter a token of this service. It stays in this tab and is forgotten when you close the tab or sign out.',
    token: 'Token',
    submit: 'Sign in',
    checking: 'Checking …',
    empty: 'Enter a token. It begins with mien_.',
    malformed: 'This is no token. A token has no spaces and begins with mien_.',
    refused: 'The service does not know this token. Check that you copied all of it.',
    ended: 'The token is no longer valid. Sign in with another one.',
    sessionEnded: 'The session has ended. Sign in again.',
    insecure:
      'Passkeys need https, or the address localhost. Open the console there, or sign in with a token.',
    cancelled: 'No passkey was used. Try again.',
    coreAway: 'The service is not ready, and refuses most requests for now. Its log says more.',
  },

  byProvider: {
    submit: (name: string) => `Sign in with ${name}`,
    unnamed: 'your organisation',
  },

  byPasskey: {
    text: 'Fingerprint, face or PIN of your device, for people with an invitation.',
    submit: 'Use a passkey',
  },

  byLink: {
    text: 'Welcome. This link works once. If it is an invitation, the browser makes a passkey, with which you sign in from then on.',
    submit: 'Continue',
    without: 'Continue without the link',
  },

  connection: {
    lost: 'The service does not answer. Trying again …',
  },

  errors: {
    photos: { 'photo1: ': 'First photo: ', 'photo2: ': 'Second photo: ' } as Record<string, string>,
    network: 'The service does not answer. Check the connection and try again.',
    gone: 'This is not here: it was deleted, or the address is wrong.',
    changed: 'This was changed elsewhere. Load the page again, and repeat your change.',
    timeout: 'The service took too long to answer. Try again.',
    unexpected: 'Something went wrong in the console. Load the page again.',
    retryAfter: (seconds: number) => `Try again in ${formatCount(seconds)} s.`,
    notAPhoto: (name: string) => `${name} is not a JPEG, PNG or WEBP photo.`,
    hidden: (name: string) => `${name} is a hidden file.`,
    unreadable: (name: string) => `${name} cannot be read.`,
    tooLarge: (name: string) => `${name} is larger than 25 MB.`,
    heic: 'This browser cannot read HEIC photos. Export them as JPEG, or set the camera of the phone to "Most Compatible".',
    camera: 'The camera gives no picture. Perhaps another program uses it: close that, and try again.',
    cameraDenied: 'The browser keeps the camera from this page. Allow it beside the address, and try again.',
    noCamera: 'No camera was found. Connect one, or choose a photo.',
  },

  input: {
    drop: 'Drop or paste a photo here',
    reading: 'Reading the files …',
    choose: 'Choose a photo',
    another: 'Choose another photo',
    limits: 'JPEG, PNG or WEBP, up to 25 MB',
    rewritten: (side: number) =>
      `The photo was made smaller in the browser: at most ${formatCount(side)} pixels a side, as JPEG.`,
    onlyOne: (name: string) => `${name} was left out: choose one photo at a time.`,
    more: (count: number) => `And ${formatCounted(count, 'more file')}.`,
    webcam: 'Use the camera',
    webcamTitle: 'Take a photo',
    take: 'Take the photo',
    advice: {
      looking: 'Look into the camera',
      missing: 'No face yet: look into the camera',
      several: 'One person only',
      closer: 'Come closer',
      straight: 'Look straight',
      light: 'More light',
      still: 'Hold still',
      ready: 'Ready',
    },
    webcamName: 'camera.jpg',
    pictureOf: (name: string) => `Photo ${name}`,
  },

  ...TRY_TEXTS,
  ...GALLERY_TEXTS,
  ...PERSON_TEXTS,
  ...CAMERA_TEXTS,
  ...ALERT_TEXTS,
  ...OPERATOR_TEXTS,
  ...SETTINGS_TEXTS,
  ...USER_TEXTS,
}
