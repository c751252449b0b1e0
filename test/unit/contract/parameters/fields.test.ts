import * as z from 'zod'
import {
  boolean,
  integer,
  json,
  nameToFind,
  optional,
  text,
  withDefault,
} from '#contract/parameters/fields.ts'
import { cameraFilter, galleries, personId } from '#contract/parameters/ids.ts'
import { photo, selector, threshold, Upload } from '#contract/parameters/photos.ts'
import { times } from '#test/support/times.ts'

const UUID = '0123456789abcdef0123456789abcdef'
const NO_CAMERA = '0'.repeat(32)

const read = (field: z.ZodType, value: unknown) => {
  const parsed = z.object({ field }).safeParse(value === undefined ? {} : { field: value })
  return parsed.success ? (parsed.data as { field?: unknown }).field : 'refused'
}

describe('parameter fields', () => {
  it.each([
    ['true', true],
    [1, true],
    ['Yes', true],
    [true, true],
    ['0', false],
    ['OFF', false],
    ['yes/', true],
    ['x'.repeat(99_999), 'refused'],
    [2, 'refused'],
  ])('boolean reads %j as %j', (value, expected) => {
    expect(read(boolean, value)).toBe(expected)
  })

  it.each([
    [' 5 ', 5],
    ['5e0', 5],
    ['5/', 5],
    ['5//', 'refused'],
    [`${'1'.repeat(300_000)}x`, 'refused'],
    ['5.5', 'refused'],
    [11, 'refused'],
    ['Infinity', 'refused'],
  ])('integer(0, 10) reads %j as %j', (value, expected) => {
    expect(read(integer(0, 10), value)).toBe(expected)
  })

  it.each([
    [undefined, 0.75],
    ['Strict', 0.7834],
    ['low', 0.569],
    ['NONE', 'none'],
    ['0', 0],
    [1.01, 'refused'],
    ['toString', 'refused'],
    [true, 'refused'],
    [['low', 'low'], 'refused'],
  ])('threshold reads %j as %j', (value, expected) => {
    expect(read(threshold, value)).toBe(expected)
  })

  it.each([
    [`a, ,b/${' '.repeat(65)}`, ['a', 'b']],
    ['["a","b"]', ['a', 'b']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['a', 'a', 'default'], ['a']],
    ['default', []],
    [['a,b'], ['a', 'b']],
    [
      ['["a"]', 'b'],
      ['a', 'b'],
    ],
    ['a,'.repeat(200_000), 'refused'],
    [times(101, i => `g${i}`), 'refused'],
    ['a b', 'refused'],
    ['x'.repeat(49), 'refused'],
    ['x'.repeat(65), 'refused'],
    ['["a"', 'refused'],
    [[1], 'refused'],
  ])('galleries reads %j as %j', (value, expected) => {
    expect(read(galleries, value)).toEqual(expected)
  })

  it.each([
    [
      [1, UUID],
      [NO_CAMERA, UUID],
    ],
    ['1,2', [NO_CAMERA, NO_CAMERA]],
    [`[7, "${UUID}/"]`, [NO_CAMERA, UUID]],
    ['1'.repeat(32), ['1'.repeat(32)]],
    [[], []],
    ['door', 'refused'],
    [[[1]], 'refused'],
    [[true], 'refused'],
    [times(1_001, i => i), 'refused'],
  ])('a filter of cameras reads %j as %j', (value, expected) => {
    expect(read(cameraFilter, value)).toEqual(expected)
  })

  it.each([
    [undefined, 'biggest'],
    ['all', 'all'],
    ['smallest', 'refused'],
  ])('selector reads %j as %j', (value, expected) => {
    expect(read(selector, value)).toBe(expected)
  })

  it.each([
    [' Ann  LEE ', ' Ann  LEE '],
    ['ann '.repeat(1_000), 'ann '.repeat(1_000)],
    [times(17, i => `w${i}`).join(' '), 'refused'],
    [' ', 'refused'],
  ])('nameToFind reads %j as %j', (value, expected) => {
    expect(read(nameToFind, value)).toBe(expected)
  })

  it.each([
    ['http://photos.test/a.jpg', 'http://photos.test/a.jpg'],
    [undefined, 'refused'],
    ['', 'refused'],
    [null, 'refused'],
    ['no url', 'refused'],
    [['http://a.test', 'http://b.test'], 'refused'],
    [`http://a.test/${'x'.repeat(5000)}`, 'refused'],
  ])('photo reads %j as %j', (value, expected) => {
    expect(read(photo, value)).toBe(expected)
  })

  it.each([
    ['7', 7],
    [12, 12],
    ['employee 7', 'employee 7'],
  ])('personId reads %j as %j', (value, expected) => {
    expect(read(personId, value)).toBe(expected)
  })

  it.each(['a\0', '\ud800', 'a\udc00b'])(
    'text, photo and personId refuse %j, which a store would alter, and json accepts it',
    value => {
      expect(read(text(10), value)).toBe('refused')
      expect(read(photo, `http://a.test/${value}`)).toBe('refused')
      expect(read(photo, new Upload(new Uint8Array(), value))).toBe('refused')
      expect(read(personId, value)).toBe('refused')
      expect(read(json, { value })).toEqual({ value })
    },
  )

  it('optional and withDefault treat undefined, null and an empty text as absent', () => {
    for (const absent of [undefined, null, '']) {
      expect(read(optional(integer(0, 1)), absent)).toBeUndefined()
      expect(read(withDefault(boolean, true), absent)).toBe(true)
    }
    expect(read(withDefault(boolean, true), 'no')).toBe(false)
  })
})
