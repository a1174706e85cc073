import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { keyRing } from '../tokens/keys.ts'
import { type CookieSite, EncryptedCookie } from './encrypted-cookie.ts'

/** What the next sign-in page shows, in addition to its URL. */
export type Flash =
  | {
      readonly kind: 'failed-form'
      readonly providerId: string
      /** The username or address that the form contained; empty if it is not kept. Never a password. */
      readonly identifier: string
      /** The id of the failed request, which the URL of the page contains. */
      readonly ref: string
    }
  | { readonly kind: 'signed-out' }

/** Seconds. The redirect that shows it follows immediately. */
const maxAge = 60

/** Keeps what the next sign-in page shows in an encrypted cookie, which the page clears. */
export class SignInFlash {
  readonly #cookie: EncryptedCookie

  constructor(site: CookieSite) {
    const keys = keyRing(site.secrets, 'flash')
    this.#cookie = new EncryptedCookie({ name: 'flash', path: site.basePath || '/', maxAge, keys }, site)
  }

  create(flash: Flash): Promise<SetCookies> {
    return this.#cookie.create(JSON.stringify(flash))
  }

  async read(cookies: RequestCookies): Promise<Flash | null> {
    const text = await this.#cookie.read(cookies)
    return text === null ? null : JSON.parse(text)
  }

  clear(): SetCookies {
    return this.#cookie.clear()
  }
}
