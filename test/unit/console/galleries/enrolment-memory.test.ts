import { digestOf, interruptedEnrolment, rememberEnrolment } from '#console/galleries/enrolment-memory.ts'

const SETTINGS = { gallery: 'staff', meta: 'Ann Lee', usesFolderNames: true, selector: 'all' } as const

/** A session storage, which is full for longer texts. */
let mostLength: number
const entries = new Map<string, string>()
beforeEach(() => {
  mostLength = Number.POSITIVE_INFINITY
  entries.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    removeItem: (key: string) => void entries.delete(key),
    setItem(key: string, text: string) {
      if (text.length > mostLength) throw new DOMException('full', 'QuotaExceededError')
      entries.set(key, text)
    },
  })
})

const photo = (number: number) => ({
  file: new File([], `${number}.jpg`, { lastModified: number }),
  path: `people/Ann Lee/${number}.jpg`,
})

describe('the memory of an enrolment', () => {
  it('continues with the same settings, for more photos than one entry holds', () => {
    const first = rememberEnrolment(SETTINGS, 2_000)
    for (let i = 0; i < 1_201; i++) first.add(photo(i))
    expect(interruptedEnrolment()).toEqual({ settings: SETTINGS, photos: 2_000, done: 1_201 })
    const second = rememberEnrolment({ ...SETTINGS }, 2_000)
    expect(second.has(photo(0))).toBe(true)
    expect(second.has(photo(1_200))).toBe(true)
    expect(second.has(photo(1_201))).toBe(false)
    second.add(photo(1_201))
    second.add(photo(1_201))
    expect(interruptedEnrolment()?.done).toBe(1_202)
    rememberEnrolment(SETTINGS, 10)
    expect(interruptedEnrolment()?.photos).toBe(2_000)
  })

  it('has neither names nor contents of photos', () => {
    rememberEnrolment({ ...SETTINGS, meta: '' }, 9).add(photo(1))
    expect([...entries.values()].join()).not.toMatch(/jpg|people|Ann/)
  })

  it('does without a storage that is full', () => {
    mostLength = 100
    const memory = rememberEnrolment(SETTINGS, 9)
    for (let i = 0; i < 20; i++) memory.add(photo(i))
    expect(memory.has(photo(19))).toBe(true)
  })
})

it('the digest of a photo differs for another path, size or time', () => {
  const file = (bits: string, lastModified: number) => new File([bits], '1.jpg', { lastModified })
  const one = { path: 'a/1.jpg', file: file('1', 2) }
  const others = [
    { ...one, path: 'a/2.jpg' },
    { ...one, file: file('12', 2) },
    { ...one, file: file('1', 3) },
  ]
  expect(new Set([one, ...others].map(digestOf)).size).toBe(4)
  expect(digestOf({ ...one })).toBe(digestOf(one))
})
