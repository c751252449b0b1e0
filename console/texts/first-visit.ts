/** Texts of the first visit. */
export const FIRST_VISIT_TEXTS = {
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
