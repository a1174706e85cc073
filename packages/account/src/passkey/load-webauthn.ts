type WebAuthn = typeof import('@simplewebauthn/server')

/** The optional package that verifies responses. */
const name = '@simplewebauthn/server'

/** Whether the package is installed. */
export function isInstalled(specifier: string = name): boolean {
  try {
    return import.meta.resolve(specifier) !== ''
  } catch {
    return false
  }
}

let loading: Promise<WebAuthn> | null = null

/** Loads the package on first use: that takes a quarter of a second. */
export function loadWebAuthn(): Promise<WebAuthn> {
  loading ??= import('@simplewebauthn/server').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}
