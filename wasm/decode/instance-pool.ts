/** Keeps one idle instance of each decoder: memory of WebAssembly is given back late, so an instance a request piles up. */

/** Bytes: an instance never shrinks, so one that a large photo has grown is left to the garbage collector. */
const WORTH_KEEPING = 24 * 2 ** 20

/**
 * The state lives as long as the module and holds nothing of a request but stale memory of the decoder. An instance that
 * is in use is not in here: whoever decodes meanwhile makes another.
 */
export class InstancePool<Instance extends { readonly memory: WebAssembly.Memory }> {
  readonly #idle = new WeakMap<WebAssembly.Module, Instance>()

  /** The idle instance, which is the caller's own until it is given back. */
  take(module: WebAssembly.Module): Instance | undefined {
    const instance = this.#idle.get(module)
    this.#idle.delete(module)
    return instance
  }

  /** Only for an instance whose work ended well: after an error its inner state is unknown. */
  giveBack(module: WebAssembly.Module, instance: Instance): void {
    if (instance.memory.buffer.byteLength <= WORTH_KEEPING) this.#idle.set(module, instance)
  }

  /** Leaves the idle instance to the garbage collector: somebody needs the room. */
  drop(module: WebAssembly.Module): void {
    this.#idle.delete(module)
  }
}
