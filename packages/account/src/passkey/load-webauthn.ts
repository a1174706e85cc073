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

/** @returns A function that loads a module once, and again after a failure. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}

export type WebAuthnHelpers = typeof import('@simplewebauthn/server/helpers')

/** Loads the decoders of the package on first use. */
export const loadHelpers: () => Promise<WebAuthnHelpers> = once(() => import('@simplewebauthn/server/helpers'))

/** Loads the package on first use: that takes a quarter of a second. */
export const loadWebAuthn: () => Promise<typeof import('@simplewebauthn/server')> = once(
  () => import('@simplewebauthn/server')
)
