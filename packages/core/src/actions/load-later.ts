type Later = typeof import('./later.ts')

let loading: Promise<Later> | null = null

/** Loaded with the first sign-in or sign-out, oauth4webapi included: a start does not wait for it. */
export function later(): Promise<Later> {
  loading ??= import('./later.ts')
  return loading
}
