import type { CookieAttributes, CookieSetting } from '../model/cookie.ts'

/** Every cookie that Postern sets: its name and attributes. */
export interface CookieTable {
  readonly sessionToken: CookieSetting
  readonly callbackUrl: CookieSetting
  readonly csrfToken: CookieSetting
  readonly pkceCodeVerifier: CookieSetting
  readonly state: CookieSetting
  readonly nonce: CookieSetting
  /** Identifies the sign-in links that this browser requested by email. */
  readonly emailRequest: CookieSetting
  /** The users who have signed in with this browser. */
  readonly device: CookieSetting
  /** The user who has signed in last on a page that this browser does not send `device` to. */
  readonly newDevice: CookieSetting
  /** The id of the method that this browser has signed in with last, for the sign-in page to mark. */
  readonly lastMethod: CookieSetting
  /** Proves that a session token came from its browser, if the store holds the token as plain text. */
  readonly sessionProof: CookieSetting
}

/** The attributes of a cookie as an application writes them: `true` is `strict`, and `false` is no attribute, as in Auth.js. */
export interface CookieOptions extends Omit<CookieAttributes, 'sameSite'> {
  readonly sameSite?: CookieAttributes['sameSite'] | boolean
}

function toAttributes({ sameSite, ...others }: CookieOptions): CookieAttributes {
  return { ...others, ...(sameSite ? { sameSite: sameSite === true ? 'strict' : sameSite } : {}) }
}

/** The cookies that may be renamed: those of next-auth v4. */
export type CookieOverrides = {
  readonly [K in Exclude<keyof CookieTable, 'device' | 'emailRequest' | 'lastMethod' | 'newDevice' | 'sessionProof'>]?:
    | { readonly name?: string | undefined; readonly options?: CookieOptions | undefined }
    | undefined
}

/** The session cookie of Auth.js v5 on a site whose session cookie has these attributes. */
export function authJsCookie({ options }: CookieSetting): CookieSetting {
  return { name: `${options.secure ? '__Secure-' : ''}authjs.session-token`, options }
}

/**
 * The cookies of a site, with the names of next-auth v4.
 *
 * `__Secure-` requires `Secure`; `__Host-` also requires `Path=/` and no `Domain` (RFC 6265bis §4.1.3). An override
 * replaces name and attributes as a whole, as in v4; unset attributes get the default.
 */
export function cookieTable(secure: boolean, basePath: string, overrides: CookieOverrides): CookieTable {
  const attributes: CookieAttributes = { httpOnly: true, sameSite: 'lax', path: '/', secure }
  const prefix = secure ? '__Secure-' : ''
  const setting = (key: keyof CookieOverrides, name: string): CookieSetting => {
    const given = overrides[key]
    return { name: given?.name ?? name, options: given?.options ? toAttributes(given.options) : attributes }
  }
  const sessionToken = setting('sessionToken', `${prefix}next-auth.session-token`)
  const { maxAge: _, ...lasting } = sessionToken.options
  const ownAttributes: CookieAttributes = { ...attributes, path: basePath || '/' }
  return {
    sessionToken,
    callbackUrl: setting('callbackUrl', `${prefix}next-auth.callback-url`),
    csrfToken: setting('csrfToken', `${secure ? '__Host-' : ''}next-auth.csrf-token`),
    pkceCodeVerifier: setting('pkceCodeVerifier', `${prefix}next-auth.pkce.code_verifier`),
    state: setting('state', `${prefix}next-auth.state`),
    nonce: setting('nonce', `${prefix}next-auth.nonce`),
    emailRequest: { name: `${prefix}postern.email`, options: ownAttributes },
    device: { name: `${prefix}postern.device`, options: ownAttributes },
    newDevice: { name: `${prefix}postern.new-device`, options: ownAttributes },
    lastMethod: { name: `${prefix}postern.last-method`, options: ownAttributes },
    sessionProof: { name: `${lasting.secure ? '__Secure-' : ''}postern.session-proof`, options: lasting }
  }
}
