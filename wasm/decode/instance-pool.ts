/**
 * Keeps one idle instance per decoder. WebAssembly memory is freed late: an instance per request would accumulate
 * memory.
 */

/** Maximum memory in bytes of a kept instance. An instance never shrinks; larger ones go to the garbage collector. */
const WORTH_KEEPING = 24 * 2 ** 20

/**
 * Lives as long as the module. Holds no data of a request except stale memory of the decoder. Instances in use are
 * not in the pool; a concurrent decode creates its own.
 */
export class InstancePool<Instance extends { readonly memory: WebAssembly.Memory }> {
  readonly #idle = new WeakMap<WebAssembly.Module, Instance>()

  /** Removes the idle instance from the pool. The caller owns it until `giveBack`. */
  take(module: WebAssembly.Module): Instance | undefined {
    const instance = this.#idle.get(module)
    this.#idle.delete(module)
    return instance
  }

  /**
   * Returns an instance after a successful decode. After an error its internal state is unknown, and it must not be
   * returned.
   */
  giveBack(module: WebAssembly.Module, instance: Instance): void {
    if (instance.memory.buffer.byteLength <= WORTH_KEEPING) this.#idle.set(module, instance)
  }

  /** Leaves the idle instance to the garbage collector, to free its memory. */
  drop(module: WebAssembly.Module): void {
    this.#idle.delete(module)
  }
}
