import { AuthError } from '../errors/auth-error.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import { canConfirm } from '../oauth/authentication-requirements.ts'
import type { SessionReader } from '../sessions/strategy.ts'
import { keyRing } from '../tokens/keys.ts'
import { type CookieSite, EncryptedCookie } from './encrypted-cookie.ts'

/** What a guard requires of a session. */
export interface StepUpRequirements {
  /** The maximum seconds since the user authenticated; `null` for any. */
  readonly maxAge: number | null
  /** All of these values of `amr`; empty for none. */
  readonly amr: readonly string[]
  /** One of these values of the provider's `acr`; empty for any. */
  readonly acr: readonly string[]
}

/** A signed-in user who has to authenticate again. */
export interface StepUp extends StepUpRequirements {
  readonly userId: string
  /** Whether the form that required it has to be sent again afterwards. */
  readonly mustRepeat: boolean
  /** Where the user goes who does not want to. */
  readonly backUrl: string
}

const nobody = Promise.resolve(null)

/** Seconds in which the user must authenticate. */
const maxAge = 600

/**
 * Keeps who has to authenticate again in an encrypted cookie. While a browser has it, and the session of that user, a sign-in is
 * only completed as that user.
 */
export class StepUps {
  readonly #cookie: EncryptedCookie
  readonly #sessionReader: SessionReader

  constructor(site: CookieSite, sessionReader: SessionReader) {
    const keys = keyRing(site.secrets, 'step-up')
    // The application may sign users in on a page of its own.
    this.#cookie = new EncryptedCookie({ name: 'step-up', path: '/', maxAge, keys }, site)
    this.#sessionReader = sessionReader
  }

  create(stepUp: StepUp): Promise<SetCookies> {
    return this.#cookie.create(JSON.stringify(stepUp))
  }

  /**
   * @param isStarted - Whether the sign-in was started as a step-up: then it stays one, even if the session has ended since.
   * @returns The user who has to authenticate again; `null` if there is none, or if the session has ended.
   */
  read(cookies: RequestCookies, isStarted: boolean = false): Promise<StepUp | null> {
    return this.#cookie.isIn(cookies) ? this.#read(cookies, isStarted) : nobody
  }

  async #read(cookies: RequestCookies, isStarted: boolean): Promise<StepUp | null> {
    const text = await this.#cookie.read(cookies)
    if (text === null) return null
    const stepUp: StepUp = JSON.parse(text)
    if (isStarted) return stepUp
    return (await this.#sessionReader.readUser(cookies))?.userId === stepUp.userId ? stepUp : null
  }

  /** The removal of the cookie; nothing if the request does not contain it. */
  clear(cookies: RequestCookies): SetCookies {
    return this.#cookie.clearIn(cookies)
  }
}

/**
 * Requires that a sign-in is of the user who has to authenticate again: nobody is linked, created or exchanged by it.
 *
 * @param ownerId - The user of the proven account before the sign-in; `null` if it has none.
 * @throws AuthError `DifferentUser`
 */
export function requireSameUser(stepUp: StepUp | null, ownerId: string | null, providerId: string): void {
  if (!stepUp || stepUp.userId === ownerId) return
  throw new AuthError('DifferentUser', `${providerId}: the account does not belong to the user who has to authenticate`)
}

/** Whether a sign-in with this provider can meet the requirements. Features decide for themselves. */
export function canStepUp(provider: Provider, { maxAge, acr }: StepUpRequirements): boolean {
  if (provider.kind !== 'oauth') return acr.length === 0
  const { idToken, requires } = provider
  const hasAcr = idToken && (requires.acr.length === 0 || requires.acr.some((value) => acr.includes(value)))
  return (maxAge === null || canConfirm(provider)) && (acr.length === 0 || hasAcr)
}
