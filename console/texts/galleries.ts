/** Texts of the pages of galleries. */
import type { GalleryStatistics } from '../../clients/typescript/src/index.ts'
import { formatCount, formatCounted, formatDate, formatShare } from '../format.ts'

export const GALLERY_TEXTS = {
  galleries: {
    title: 'Galleries',
    intro: 'A gallery is a named set of stored faces. Every face is among all faces.',
    all: 'All faces',
    empty: 'No faces yet',
    noPictures: 'The newest faces cannot be shown.',
    create: 'Create a gallery',
    name: 'Name',
    nameHint: 'Such as Our staff',
    rename: 'Rename the gallery',
    newName: 'New name',
    key: 'Name for programs',
    keyHint: '1 to 48 characters of a-z, A-Z, 0-9, _ and -',
    keyOf: (key: string) => `Its name for programs is ${key}.`,
    faces,
    missing: (count: number) => `searches do not find ${formatCount(count)} of them`,
    days: (count: number) => `deleted after ${formatCounted(count, 'day')}`,
    created: (name: string) => `The gallery ${name} was created.`,
  },

  gallery: {
    back: 'All galleries',
    missing: 'There is no such gallery.',
    meta: 'Filter by name',
    metaHint: 'Shows faces with exactly this name.',
    clear: 'Show all',
    more: 'More filters',
    person: 'Person',
    camera: 'Camera',
    start: 'From',
    end: 'Until',
    friend: 'Friends',
    any: 'All',
    friendOptions: { '': 'All', true: 'Friends of the camera', false: 'Other faces' },
    friendHint: 'Friends were seen by the same camera on several days.',
    loaded: (count: number, isAll: boolean) => (isAll ? faces(count) : `${faces(count)} so far`),
    empty: 'This gallery has no faces. Drop photos above to enrol the first ones.',
    enrolling: 'Photos are being enrolled. Their faces appear here.',
    noMatch: 'No face of this gallery meets the filter.',
    grid: 'Faces',
    face: (meta: string, time: string) => `${meta || 'Face without a name'}, enrolled ${formatDate(time)}`,
    selectAll: 'Select all',
    manage: 'Rename or delete the gallery',
    collecting: (count: number) => `Selecting … ${formatCount(count)}`,
  },

  check: {
    link: 'Check the gallery',
    title: (name: string) => `Check ${name}`,
    intro: 'Photos under a wrong name let searches find the wrong people. Look at each of these.',
    back: 'The gallery',
    kinds: {
      disagrees: 'Not like the other photos of this person',
      divided: 'One person that looks like two',
      alike: 'Two persons that look like one',
      poor: 'Too poor to recognise, or covered',
      duplicate: 'The same picture twice',
    },
    photo: 'Photo in question',
    noName: 'No name',
    moreFaces: (count: number) => `and ${faces(count)} more`,
    setAside: 'Set aside',
    delete: 'Delete',
    setAsideHint:
      'A click on a photo shows who it is, and what you can do about it. Photos that are set aside stay enrolled, but searches do not find them.',
    right: {
      disagrees: 'It is right',
      divided: 'It is one person',
      alike: 'They are two persons',
      poor: 'It is right',
      duplicate: 'Keep both',
    },
    states: {
      set_aside: 'Set aside.',
      confirmed: 'Marked as right.',
      merged: 'Merged.',
      deleted: 'Deleted.',
    },
    undo: 'Undo',
    looking: 'Comparing faces …',
    none: 'The check found nothing to look at.',
    noneYet: 'Nothing to look at so far.',
    more: 'Look further',
  },

  deleteGallery: {
    label: 'Delete the gallery',
    question: (name: string) => ({
      title: `Delete the gallery ${name}?`,
      text: 'Its faces are deleted from every gallery, with their pictures. This cannot be undone.',
      confirm: 'Delete gallery and faces',
      isDanger: true,
    }),
    type: 'Type the name of the gallery to confirm',
    done: (name: string) => `The gallery ${name} was deleted.`,
  },

  selection: {
    label: 'Selected faces',
    count: (count: number) => `${formatCount(count)} selected`,
    add: 'Add to a gallery',
    remove: (gallery: string) => `Remove from ${gallery}`,
    meta: 'Set the name',
    delete: 'Delete',
    addQuestion: (count: number) => ({ title: `Add ${faces(count)} to a gallery`, confirm: 'Apply' }),
    addGallery: 'Gallery',
    addNone: 'There is no other gallery. Create one first.',
    metaQuestion: (count: number, isRemoval: boolean) => ({
      title: `Set the name of ${faces(count)}`,
      confirm: isRemoval ? `Remove the name of ${faces(count)}` : 'Apply',
      isDanger: isRemoval,
    }),
    metaLabel: 'Name',
    metaHint: 'These faces lose their present names. An empty name removes them.',
    removeQuestion: (count: number, gallery: string) => ({
      title: `Remove ${faces(count)} from ${gallery}?`,
      text: 'The faces stay enrolled and remain in their other galleries.',
      confirm: `Remove ${faces(count)}`,
    }),
    deleteQuestion: (count: number) => ({
      title: `Delete ${faces(count)}?`,
      text: 'They are deleted from every gallery, with their pictures. This cannot be undone.',
      confirm: `Delete ${faces(count)}`,
      isDanger: true,
    }),
    working: (done: number, all: number) => `${formatCount(done)} of ${formatCount(all)}`,
    done: (count: number) => `Done: ${faces(count)}.`,
    failed: (count: number) => `${formatCount(count)} failed and stay selected.`,
  },

  enrol: {
    title: 'Enrol faces',
    drop: 'Drop photos, or folders of people, here',
    hint: 'One folder for each person, with the name of the person. Ctrl+V pastes a picture.',
    photos: 'Choose photos',
    folder: 'Choose a folder',
    meta: 'Name',
    metaHint: 'Empty: no name',
    folderNames: 'Folders have the names of people',
    selector: 'Faces on a photo',
    selectors: { biggest: 'the biggest', all: 'all', reject: 'one, or refuse the photo' },
    progress: 'Progress of the enrolment',
    state: (done: number, all: number, enrolled: number) =>
      `${formatCount(done)} of ${photoCount(all)}, ${faces(enrolled)} enrolled`,
    failures: (count: number) => `${photoCount(count)} failed`,
    skipped: (count: number) => `${formatCounted(count, 'file')} skipped`,
    more: (count: number) => `and ${formatCount(count)} more`,
    before: (count: number) => `${formatCounted(count, 'photo was', 'photos were')} enrolled before.`,
    several: (count: number) => `${formatCounted(count, 'photo shows', 'photos show')} several people`,
    biggestOf: (seen: number) => `The biggest of ${formatCount(seen)} faces was enrolled.`,
    duplicates: (count: number) => formatCounted(count, 'duplicate'),
    sameAs: (path: string) => `This is the same photo as ${path}.`,
    sameBefore: 'The same photo was enrolled within 24 hours, under another name or in another browser.',
    bar: {
      running: (left: number) => `Enrolment: ${photoCount(left)} left`,
      paused: (left: number) => `Enrolment paused: ${photoCount(left)} left`,
      stopped: (left: number) => `Enrolment stopped: ${photoCount(left)} left`,
      complete: (_left: number, failed: number) =>
        failed === 0 ? 'Enrolment complete' : `Enrolment complete, ${photoCount(failed)} failed`,
    },
    interrupted: (done: number, all: number) =>
      `An enrolment was interrupted: ${formatCount(Math.max(0, all - done))} of ${photoCount(all)} left. Drop or choose the same photos to continue.`,
    forget: 'Forget it',
    pause: 'Pause',
    continue: 'Continue',
    paused: 'Paused. Photos in progress are finished.',
    busy: 'The service is busy. The enrolment goes on by itself …',
    stopped: 'Stopped. What is enrolled stays.',
    noPhotos: 'There are no photos in what you chose.',
  },

  portrait: {
    title: 'Who is this?',
    name: 'Name',
    hint: 'The name of a known person adds the photo to this person.',
    confirm: 'Enrol',
    take: 'Take a portrait',
    done: (name: string, seen: number | undefined) =>
      `${name} was enrolled. ${seen === undefined ? '' : GALLERY_TEXTS.enrol.biggestOf(seen)}`.trim(),
  },

  several: {
    label: 'Photos with several faces',
    hint: 'The marked face is enrolled. Press another face to enrol that one.',
    looking: (done: number, all: number) =>
      `Looking for photos with several faces: ${formatCount(done)} of ${formatCount(all)}. You need not wait.`,
  },

  plan: {
    label: 'What will be enrolled',
    title: (people: number, photos: number) =>
      people === 0
        ? photoCount(photos)
        : `${formatCounted(people, 'person', 'people')}, ${photoCount(photos)}`,
    people: 'People',
    photos: photoCount,
    folders: (count: number) => `of ${formatCount(count)} folders with this name`,
    ambiguous: 'Several persons have this name. Merge or rename them first.',
    enrol: (photos: number) => `Enrol ${photoCount(photos)}`,
    rewritten: (count: number) =>
      `${formatCounted(count, 'photo is', 'photos are')} larger than 10 MB or HEIC. The browser sends smaller JPEG copies.`,
    unnamed: 'The faces get no name. Type a name above, or choose a folder for each person.',
    elsewhere: 'It is in no folder of a person: most photos are in folders at another depth.',
  },
}

/** How a search finds the faces of a gallery. */
export function indexState({ index, indexed = 0, vectors = 0 }: GalleryStatistics): string {
  if (index === undefined) return 'vector store unavailable'
  if (index === 'none') return 'exact search'
  if (index === 'building') return 'index is being built'
  return indexed >= vectors ? 'indexed' : `${formatShare(indexed / vectors)} indexed`
}

function photoCount(count: number) {
  return formatCounted(count, 'photo')
}

export function faces(count: number): string {
  return formatCounted(count, 'face')
}
