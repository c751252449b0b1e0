/** A photo in a request body, in any encoding. */

export class Upload {
  readonly bytes: Uint8Array
  /** File name from the client; "" when absent. */
  readonly name: string

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}
