/** Texts of the pages that try out detection, search and comparison. */
import { formatCount } from '../format.ts'
import { faces } from './galleries.ts'

export const TRY_TEXTS = {
  try: {
    title: 'Try',
    intro: 'See which faces the service finds on a photo, and who they are.',
    searching: 'Looking for faces …',
    gallery: 'Identify in',
    candidates: 'Candidates',
    faces,
    face: (number: number) => `Face ${formatCount(number)}`,
    noFaces: 'No face was found on this photo.',
    identifying: 'Searching the gallery …',
    noCandidates: 'The gallery has no face to compare with.',
    quality: 'Quality',
    liveness: 'Liveness',
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
