type WebAuthn = typeof import('@simplewebauthn/server')

/** The optional package that verifies responses. */
const name = '@simplewebauthn/server'

/**
 * Whether the package is installed.
 *
 * @param url - Of this module: a bundle of an application contains the package, and cannot find it.
 */
export function isInstalled(specifier: string = name, url: string = import.meta.url): boolean {
  try {
    return import.meta.resolve(specifier) !== ''
  } catch {
    return !url.includes('/account/')
  }
}

/** Loads the decoders of the package. */
export function loadHelpers(): Promise<typeof import('@simplewebauthn/server/helpers')> {
  return import('@simplewebauthn/server/helpers')
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
