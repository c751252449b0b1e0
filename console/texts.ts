/** All texts of the console. A translation replaces this file. */
import { formatCount, formatDate } from './format.ts'

export const TEXTS = {
  name: 'Mien',
  tagline: 'Finds faces on photos, compares them, stores them and searches for them.',
  cancel: 'Cancel',
  retry: 'Try again',
  loading: 'Loading …',
  photo: 'Photo',

  navigation: {
    label: 'Pages',
    try: 'Try',
    compare: 'Compare',
    galleries: 'Galleries',
    signOut: 'Sign out',
    skip: 'Skip to the content',
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
    coreAway: 'Core is not ready: requests that need it are refused for now. The log of the edge says more.',
    create: 'To create a token:',
    command: 'npx mien token create --owner NAME',
  },

  connection: {
    lost: 'The service does not answer. Trying again …',
  },

  errors: {
    network: 'The service does not answer. Check the connection and try again.',
    timeout: 'The service took too long to answer. Try again.',
    unexpected: 'Something went wrong in the console. Load the page again.',
    retryAfter: (seconds: number) => `Try again in ${formatCount(seconds)} s.`,
    notAPhoto: (name: string) => `${name} is not a JPEG, PNG or WEBP photo.`,
    tooLarge: (name: string) => `${name} is larger than 10 MB.`,
    camera: 'The camera cannot be used. Allow it in the settings of the browser.',
  },

  input: {
    drop: 'Drop a photo here',
    choose: 'Choose a photo',
    another: 'Choose another photo',
    limits: 'JPEG, PNG or WEBP, up to 10 MB',
    webcam: 'Use the camera',
    webcamTitle: 'Take a photo',
    take: 'Take the photo',
    webcamName: 'camera.jpg',
    pictureOf: (name: string) => `Photo ${name}`,
  },

  try: {
    title: 'Try',
    intro: 'See which faces the service finds on a photo, and who they are.',
    searching: 'Looking for faces …',
    gallery: 'Identify in',
    candidates: 'Candidates',
    faces: (count: number) => (count === 1 ? '1 face' : `${formatCount(count)} faces`),
    face: (number: number) => `Face ${formatCount(number)}`,
    noFaces: 'No face was found on this photo.',
    identifying: 'Searching the gallery …',
    noCandidates: 'The gallery has no face to compare with.',
    quality: 'Quality',
    age: 'Age',
    gender: 'Gender',
    emotions: 'Emotions',
    genders: { male: 'male', female: 'female' },
    person: (id: number | string) => `Person ${id}`,
    noMeta: 'No meta',
  },

  confidence: {
    label: 'Confidence',
    tiers: { strict: 'strict', medium: 'medium', low: 'low', none: 'below low' },
    legend: `The marks are the named thresholds. Of pairs of strangers, 1 in ${formatCount(100_000)} reaches strict, 1 in ${formatCount(1_000)} medium, and 1 in 10 low.`,
  },

  compare: {
    title: 'Compare',
    intro: 'Compare every face of one photo with every face of another.',
    first: 'First photo',
    second: 'Second photo',
    comparing: 'Comparing …',
    pairs: (count: number) => (count === 1 ? '1 pair' : `${formatCount(count)} pairs`),
    pair: (first: number, second: number) => `Face ${formatCount(first)} and face ${formatCount(second)}`,
    more: (count: number) => `The ${formatCount(count)} pairs with the highest confidence are shown.`,
  },

  code: {
    titles: {
      detect: 'Detection in code',
      identify: 'Identification in code',
      verify: 'Comparison in code',
    },
    hint: 'The token comes from the environment variable MIEN_TOKEN.',
    copy: 'Copy',
    copied: 'Copied',
    languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  },

  galleries: {
    title: 'Galleries',
    intro: 'A gallery is a named set of enrolled faces. Every face is in the gallery default.',
    all: 'all faces',
    empty: 'No faces yet',
    create: 'Create a gallery',
    name: 'Name',
    nameHint: '1 to 48 characters of a-z, A-Z, 0-9, _ and -',
    created: (name: string) => `The gallery ${name} was created.`,
  },

  gallery: {
    back: 'All galleries',
    meta: 'Filter by meta',
    metaHint: 'Shows faces with exactly this meta.',
    clear: 'Show all',
    loaded: (count: number, isAll: boolean) =>
      isAll ? `${formatCount(count)} faces` : `${formatCount(count)} faces so far`,
    empty: 'This gallery has no faces. Drop photos above to enrol the first ones.',
    noMatch: 'No face of this gallery has this meta.',
    grid: 'Faces',
    face: (meta: string, time: string) => `${meta || 'Face without a meta'}, enrolled ${formatDate(time)}`,
    selectAll: 'Select all',
    collecting: (count: number) => `Selecting … ${formatCount(count)}`,
  },

  deleteGallery: {
    open: 'Delete the gallery',
    title: (name: string) => `Delete the gallery ${name}?`,
    text: 'Its faces are deleted from every gallery, with their vectors and pictures. This cannot be undone.',
    confirm: 'Type the name of the gallery to confirm',
    submit: 'Delete gallery and faces',
  },

  selection: {
    label: 'Selected faces',
    count: (count: number) => `${formatCount(count)} selected`,
    clear: 'Clear',
    add: 'Add to a gallery',
    remove: (gallery: string) => `Remove from ${gallery}`,
    meta: 'Set meta',
    delete: 'Delete',
    apply: 'Apply',
    addTitle: (count: number) => `Add ${faces(count)} to a gallery`,
    addGallery: 'Gallery',
    addNone: 'There is no other gallery. Create one first.',
    metaTitle: (count: number) => `Set the meta of ${faces(count)}`,
    metaLabel: 'Meta',
    metaHint: 'An empty meta removes it.',
    removeTitle: (count: number, gallery: string) => `Remove ${faces(count)} from ${gallery}?`,
    removeText: 'The faces stay enrolled and remain in their other galleries.',
    removeConfirm: (count: number) => `Remove ${faces(count)}`,
    deleteTitle: (count: number) => `Delete ${faces(count)}?`,
    deleteText: 'Vectors and pictures are deleted from every gallery. This cannot be undone.',
    deleteConfirm: (count: number) => `Delete ${faces(count)}`,
    working: (done: number, all: number) => `${formatCount(done)} of ${formatCount(all)}`,
    done: (count: number) => `Done: ${faces(count)}.`,
    failed: (count: number) => `${formatCount(count)} failed and stay selected.`,
  },

  enrol: {
    title: 'Enrol faces',
    drop: 'Drop photos or a folder here',
    photos: 'Choose photos',
    folder: 'Choose a folder',
    meta: 'Meta',
    metaHint: 'Empty: no meta',
    folderMeta: 'Use the name of a folder as meta',
    selector: 'Faces on a photo',
    selectors: { biggest: 'the biggest', all: 'all', reject: 'one, or refuse the photo' },
    progress: 'Progress of the enrolment',
    state: (done: number, all: number, enrolled: number) =>
      `${formatCount(done)} of ${formatCount(all)} photos, ${faces(enrolled)} enrolled`,
    failures: (count: number) => (count === 1 ? '1 photo failed' : `${formatCount(count)} photos failed`),
    stop: 'Stop',
    stopped: 'Stopped.',
    noPhotos: 'There are no photos in what you chose.',
  },
}

function faces(count: number): string {
  return count === 1 ? '1 face' : `${formatCount(count)} faces`
}
