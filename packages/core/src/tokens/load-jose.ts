type Jose = typeof import('jose')

let loading: Promise<Jose> | null = null

/**
 * Loaded with the first token: applications without an identity provider do not wait for it at their start. To `import`
 * what is there already takes 20 µs each time.
 */
export function jose(): Promise<Jose> {
  loading ??= import('jose')
  return loading
}
