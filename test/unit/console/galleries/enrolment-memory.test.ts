import { describe, expect, it } from 'vitest'
import { digestOf, interruptedEnrolment, rememberEnrolment } from '#console/galleries/enrolment-memory.ts'

const SETTINGS = { gallery: 'staff', meta: 'Ann Lee', usesFolderNames: true, selector: 'all' } as const

/** A session storage that can be full. */
function storageOf(mostLength = Number.POSITIVE_INFINITY) {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    removeItem: (key: string) => void entries.delete(key),
    setItem(key: string, text: string) {
      if (text.length > mostLength) throw new DOMException('full', 'QuotaExceededError')
      entries.set(key, text)
    },
  }
}

const photo = (number: number) => ({
  file: new File([], `${number}.jpg`, { lastModified: number }),
  path: `people/Ann Lee/${number}.jpg`,
})

describe('the memory of an enrolment', () => {
  it('continues with the same settings, for more photos than one entry holds', () => {
    const storage = storageOf()
    const first = rememberEnrolment(SETTINGS, 2_000, storage)
    for (let i = 0; i < 1_201; i++) first.add(photo(i))
    expect(interruptedEnrolment(storage)).toEqual({ settings: SETTINGS, photos: 2_000, done: 1_201 })
    const second = rememberEnrolment({ ...SETTINGS }, 2_000, storage)
    expect(second.has(photo(0))).toBe(true)
    expect(second.has(photo(1_200))).toBe(true)
    expect(second.has(photo(1_201))).toBe(false)
    second.add(photo(1_201))
    second.add(photo(1_201))
    expect(interruptedEnrolment(storage)?.done).toBe(1_202)
  })

  it('has neither names nor contents of photos', () => {
    const storage = storageOf()
    rememberEnrolment({ ...SETTINGS, meta: '' }, 9, storage).add(photo(1))
    expect([...storage.entries.values()].join()).not.toMatch(/jpg|people|Ann/)
  })

  it('does without a storage that is full', () => {
    const memory = rememberEnrolment(SETTINGS, 9, storageOf(100))
    for (let i = 0; i < 20; i++) memory.add(photo(i))
    expect(memory.has(photo(19))).toBe(true)
  })
})

describe('the digest of a photo', () => {
  it('differs for another path, size or time', () => {
    const one = { path: 'a/1.jpg', file: { size: 1, lastModified: 2 } }
    const others = [
      { ...one, path: 'a/2.jpg' },
      { ...one, file: { size: 2, lastModified: 2 } },
      { ...one, file: { size: 1, lastModified: 3 } },
    ]
    expect(new Set([one, ...others].map(digestOf)).size).toBe(4)
    expect(digestOf({ ...one })).toBe(digestOf(one))
  })
})
