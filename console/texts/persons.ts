/** Texts of the pages of persons. */
import type { PersonGrouping } from '../../clients/typescript/src/index.ts'
import { formatCount, formatCounted } from '../format.ts'
import { faces } from './galleries.ts'

/** Quality below which another picture is better. Source: docs/accuracy.md, Quality. */
const POOR_QUALITY = 0.8

export const PERSON_TEXTS = {
  persons: {
    title: 'Persons',
    intro: 'A person groups faces that show the same person.',
    grid: 'Persons',
    loaded: (count: number, isAll: boolean) => (isAll ? persons(count) : `${persons(count)} so far`),
    empty:
      'There are no persons. New faces get one while Settings, Persons says so. Stored faces can be grouped.',
    numbered: (id: number) => `Person ${id}`,
    select: (name: string) => `Select ${name}`,
    faces,
    lastSeen: (day: string) => `last seen ${day}`,
    added: (day: string) => `added ${day}`,
    friend: 'Friend',
    friendHint: 'The camera saw this person on several recent days.',
    merge: 'Merge',
    selection: 'Selected persons',
    selected: (count: number) => `${formatCount(count)} selected`,
    unnamed: 'Without a name',
    allNamed: 'Every person has a name.',
    ignore: 'Ignore',
    noPerson: 'No person',
    noPersonQuestion: (count: number) => ({
      title: `Mark ${persons(count)} as no person?`,
      text: 'For pictures and objects. Their faces stay stored without a person, and searches do not find them. This cannot be undone.',
      confirm: 'No person',
    }),
    setAside: (count: number) => `${faces(count)} set aside`,
    deleteQuestion: (count: number) => ({
      title: `Delete ${persons(count)}?`,
      text: 'All their faces are deleted from every gallery, with pictures. This cannot be undone.',
      confirm: `Delete ${persons(count)}`,
      isDanger: true,
    }),
    tooMany: (most: number) => `At most ${formatCount(most)} persons are merged at once.`,
  },

  grouping: {
    title: 'Group stored faces',
    intro:
      'Faces that were stored while persons were off have no person. A grouping gives each of them a person, as a new face gets one, and ' +
      'joins persons without a name that are certainly one. It runs in the background, and can be undone.',
    start: { none: 'Group the faces', stopped: 'Continue' },
    stop: 'Stop',
    undo: 'Undo the grouping',
    undoQuestion: (count: number) => ({
      title: 'Undo the grouping?',
      text:
        `The grouping gave ${faces(count)} a person. They lose this person, and persons without other faces are deleted. ` +
        'Persons that were renamed, merged, split or corrected since keep their faces.',
      confirm: 'Undo the grouping',
      isDanger: true,
    }),
    states: {
      running: (grouping: PersonGrouping) =>
        `Face ${formatCount(grouping.examined)} of ${formatCount(grouping.faces)}: ${groupingResult(grouping)}`,
      stopped: (grouping: PersonGrouping) =>
        `Stopped at face ${formatCount(grouping.examined)} of ${formatCount(grouping.faces)}: ${groupingResult(grouping)}`,
      complete: (grouping: PersonGrouping) => `Complete: ${groupingResult(grouping)}`,
      undoing: () => 'The grouping is being undone …',
    },
  },

  suggestions: {
    title: 'These two may be one',
    intro: 'Persons with similar faces. Persons on one photo together are left out.',
    looking: 'Comparing faces …',
    pair: (first: string, second: string) => `${first} and ${second}`,
    merge: 'Merge',
    notNow: 'Not now',
    none: 'No further persons with similar faces.',
    noneYet: 'No similar faces among the newest persons.',
    more: 'Look further',
  },

  mergeDialog: {
    title: (count: number) => `Merge ${persons(count)}?`,
    text: (canUndo: boolean, mostFaces: number) =>
      `All faces and sightings move to one person. The others are deleted, and alert rules with their numbers follow. ${
        canUndo
          ? 'You can undo this until your next change. The persons then come back with their names and numbers. Alert rules keep the changed number.'
          : `This cannot be undone: only persons with 1 to ${formatCount(mostFaces)} faces can be split off again.`
      }`,
    kept: 'Person to keep',
    confirm: (count: number) => `Merge ${persons(count)}`,
  },

  merge: {
    done: (count: number, name: string) => `${persons(count)} became part of ${name}.`,
    undo: 'Undo the merge',
    undone: 'The merge is undone. These persons are back:',
  },

  person: {
    back: 'All persons',
    views: { faces: 'Faces', sightings: 'Sightings' },
    noFaces: 'This person has no faces.',
    copy: 'Download a copy',
    copying: 'Making the copy …',
    copyOf: (id: number, count: number, time: string) => `Person ${id}, ${faces(count)}, copied at ${time}`,
    deleted: (name: string) => `${name} was deleted.`,
    addPhotos: 'Add photos',
    added: (count: number) => `${faces(count)} added.`,
    renameTitle: 'Rename',
    rename: 'Name of the person',
    renameFaces: 'Give it to all faces, too',
    renameFacesQuestion: (count: number) => ({
      title: `Replace the name of ${faces(count)}?`,
      text: 'All faces of this person lose the names that they have. This cannot be undone.',
      confirm: `Replace the name of ${faces(count)}`,
      isDanger: true,
    }),
    ignore: 'Ignore: no alerts, folded in events',
    ignoreHint:
      'To recognise this person, the service keeps up to eight embeddings (no pictures) beyond their retention.',
    mergeWith: 'Merge another person into this one',
    other: 'Name of the other person',
    split: 'Split off',
    splitQuestion: (count: number) => ({
      title: `Split off ${faces(count)}?`,
      text: 'These faces become a new person. The others stay.',
      confirm: `Split off ${faces(count)}`,
    }),
    splitMeta: 'Name of the new person',
    splitDone: (count: number) => `${faces(count)} became a new person:`,
    delete: 'Delete the person',
    deleteQuestion: (name: string, count: number) => ({
      title: `Delete ${name}?`,
      text: `${faces(count)} of this person ${count === 1 ? 'is' : 'are'} deleted from every gallery, with pictures. Alert rules that name only this person are deleted, too. This cannot be undone.`,
      confirm: `Delete person and ${faces(count)}`,
      isDanger: true,
    }),
  },

  picker: {
    placeholder: 'Name or part',
    found: 'Persons found',
    looking: 'Looking for names …',
    chosen: 'Chosen people',
    create: (name: string) => `New person: ${name}`,
    noPerson: (name: string) => `No person is called ${name}.`,
    remove: (name: string) => `Remove ${name}`,
  },

  face: {
    title: 'Face',
    back: 'All faces',
    picture: 'Picture of the face',
    snapshot: 'The whole picture',
    clip: 'The seconds around the picture',
    clipFailed: 'This browser cannot play the clip.',
    saveClip: 'Save it, and play it with another program',
    open: 'Open',
    openNamed: (meta: string) => `Open the face ${meta}`.trim(),
    thisIs: 'This is …',
    notThem: 'Not this person',
    enrols: 'A choice enrols the face.',
    enrolUnnamed: 'Enrol without a name',
    add: 'Add',
    portrait: 'Choose as portrait',
    deleted: 'The face was deleted.',
    isThis: (name: string) => `Is this ${name}?`,
    yes: 'Yes',
    no: 'No',
    undo: 'Undo',
    undone: 'Undone.',
    quality: (quality: number, format: (value: number) => string) =>
      quality < POOR_QUALITY
        ? `poor (${format(quality)}): another picture is found more often`
        : `good (${format(quality)})`,
    deletion: {
      label: 'Delete the face',
      title: 'Delete this face?',
      text: 'It is deleted from every gallery, with its pictures. This cannot be undone.',
      confirm: 'Delete the face',
    },
  },

  timeline: {
    label: 'Sightings by day and camera',
    none: 'No camera has seen this person.',
    camera: (name: string) => `Camera ${name}`,
    sightings: (count: number) => formatCounted(count, 'sighting'),
    more: (count: number) => `and ${formatCount(count)} more`,
    earlier: 'Earlier sightings',
  },
}

function persons(count: number) {
  return formatCounted(count, 'person')
}

const groupingResult = ({ assigned, persons: made }: PersonGrouping) =>
  `${faces(assigned)} got a person, and ${formatCounted(made, 'person is', 'persons are')} new.`
