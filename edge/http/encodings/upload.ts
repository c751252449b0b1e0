/** A photo that arrived with its request, in any encoding. */

export class Upload {
  readonly bytes: Uint8Array
  /** As the client named the file; "" when it did not. */
  readonly name: string

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}
