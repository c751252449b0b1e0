/** The options of the API configuration that the contract names, and what they are when nobody sets them. */

export interface Options {
  /** Each new face gets a person: that of the most similar stored face, or a new one. */
  person_identify: boolean
  /** Compare with all faces of the owner; otherwise with those of the same camera. */
  person_identify_global: boolean
  /** Confidence at or above which a new face joins a person, 0..1. */
  person_identify_threshold: number
  /** A person is a friend of a camera that saw them on this many distinct UTC days ... */
  friend_count: number
  /** ... within this many seconds. */
  friend_interval: number
  /** Gender, age and emotions may be asked for. */
  gae: boolean
  /** Identify answers from the live shards, where `strict` does not say otherwise. */
  tntapi_ignore_search_errors: boolean
}

export const DEFAULT_OPTIONS: Options = {
  person_identify: false,
  person_identify_global: false,
  person_identify_threshold: 0.75,
  friend_count: 5,
  friend_interval: 604_800,
  gae: false,
  tntapi_ignore_search_errors: true,
}
