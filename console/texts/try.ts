/** Texts of the pages that try out detection, search and comparison. */
import { formatCount, formatCounted } from '../format.ts'
import { faces } from './galleries.ts'

export const TRY_TEXTS = {
  try: {
    title: 'Who is this?',
    intro: 'See which faces the service finds on a photo, and who they are.',
    searching: 'Looking for faces …',
    gallery: 'Identify in',
    candidates: 'Candidates',
    portrait: (name: string) => `Enrolled face of ${name}`,
    more: (candidates: number) =>
      candidates === 0 ? 'Details' : `Details, and ${formatCounted(candidates, 'candidate')}`,
    faces,
    faceWord: 'Face',
    face: (number: number) => `Face ${formatCount(number)}`,
    noFaces: 'No face was found on this photo.',
    identifying: 'Searching the gallery …',
    noCandidates: 'No face of the gallery looks like this.',
    quality: 'Quality',
    liveness: 'Liveness',
    age: 'Age',
    gender: 'Gender',
    emotions: 'Emotions',
    genders: { male: 'male', female: 'female' },
    person: (id: number | string) => `Person ${id}`,
    noMeta: 'No name',
  },

  who: {
    unknown: 'Unknown',
    words: { certain: 'certain', probable: 'probably', weak: 'not sure' },
    sentences: {
      certain: (name: string) => `${name}, certain`,
      probable: (name: string) => `probably ${name}`,
      weak: (name: string) => `${name}, not sure`,
    },
    unnamed: (id: number) => `Unknown person ${id}`,
    nameless: (person: number | string | undefined) =>
      person === undefined ? 'Person without a name' : `Person ${person}`,
    legend: `Of ${formatCount(1_000)} strangers, at most 1 gets a name that is certain, and 10 one that is probable.`,
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
    pairs: (count: number) => formatCounted(count, 'pair'),
    verdicts: {
      same: 'The same person',
      probable: 'Probably the same person',
      different: 'Different people',
    },
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
    languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  },

  firstVisit: {
    title: 'Three steps with sample photos',
    photo: 'Sample photo with several people',
    working: 'Working …',
    done: '✓ Done',
    meta: 'Sample photo',
    kept: (gallery: string) => `The faces of the sample photos are in the gallery ${gallery}.`,
    remove: 'Delete them',
    steps: {
      try: {
        title: 'Try a photo',
        text: 'The service finds the faces on it. Nothing is stored.',
        action: 'Find faces',
      },
      enrol: {
        title: 'Enrol a few faces',
        text: 'The faces of two other photos go into a gallery, with their pictures.',
        action: 'Enrol the photos',
      },
      identify: {
        title: 'Identify one',
        text: 'One person of the first photo is on another one too. The search finds her.',
        action: 'Search the gallery',
      },
    },
  },
}
