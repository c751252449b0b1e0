/** A value that components follow. */
import { useEffect, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(value: T): void
  /** Calls the listener after each change. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

export function store<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The current value. The component renders again after a change. */
export function useStore<T>(followed: Store<T>): T {
  const [value, setValue] = useState(followed.get())
  useEffect(() => {
    setValue(() => followed.get())
    return followed.subscribe(() => setValue(() => followed.get()))
  }, [followed])
  return value
}
