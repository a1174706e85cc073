import type { VerificationToken } from '../adapter/adapter.ts'
import type { FoundUser, Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import type { NewUserFactor } from '../features/feature.ts'
import type { SignInCallbackInput } from '../hooks/hooks.ts'
import type { ActionResult } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { AuthenticationContext } from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import type { ProviderKinds } from '../model/provider.ts'

/** A token that can be used once: consumed after all checks, and restored if the sign-in fails after that. */
export interface OneTimeToken {
  /** Returns the row that was read before; `null` if it must be read again. */
  readonly getRead?: () => VerificationToken | null
  /**
   * @param store - The store to consume it from; in a transaction it is consumed on commit.
   * @throws AuthError `Verification` if it was consumed by another request.
   */
  readonly consume: (store: Store) => Promise<void>
  /** Called once the user is written, with the same store. */
  readonly markUsed?: (store: Store) => Promise<void>
  /** Called if the transaction was rolled back: there is nothing to restore. */
  readonly discard: () => void
  /** Restores the token if it was consumed. */
  readonly restore: () => Promise<void>
}

/** What a provider has proven, and the context of the sign-in. */
export interface Proof {
  readonly identity: Identity
  /** How the user was authenticated. */
  readonly authentication: AuthenticationContext
  /** The usernames that the form was rate-limited by; none for other methods. */
  readonly names: readonly string[]
  /** Cookies to set with the proof, whatever the outcome, unless `oneTimeToken` is restored. */
  readonly cookies: SetCookies
  /** The callback URL of the sign-in, or `null` if only the request contains one. */
  readonly callbackUrl: string | null
  /** The user who was signed in when the sign-in began; `undefined` if it has no start. */
  readonly initialUserId: string | null | undefined
  /** Whether the sign-in was started to link an account; `undefined` if the method cannot start a link. */
  readonly isLink: boolean | undefined
  /** Whether the sign-in was started as a step-up. @defaultValue `false` */
  readonly isStepUp?: boolean
  readonly oneTimeToken: OneTimeToken | null
  /** Factors that are created with a new user. @defaultValue none */
  readonly newUserFactors?: readonly NewUserFactor[]
  /** Whether the session ends with the browser, which the user has chosen. @defaultValue `false` */
  readonly isForgotten?: boolean
  /** When the form with a password was submitted, in milliseconds since 1970; `null` if there was no password. */
  readonly submittedAt: number | null
  /**
   * The version of the user, read before the password was compared; `null` if nothing has read it, so that `submittedAt` counts.
   *
   * @defaultValue `null`
   */
  readonly userVersion?: number | null
  /** The user of the policy `stored`, who was read with `userVersion`: the sign-in does not read them again. @defaultValue `null` */
  readonly found?: FoundUser | null
  /** Additional arguments of the `signIn` callback. */
  readonly callbackInput: Pick<SignInCallbackInput, 'profile' | 'credentials'>
  /** What is stored of `callbackInput` if the sign-in is interrupted: no password. */
  readonly storedInput: Proof['callbackInput']
}

/** What a proof has if its method neither limits names, nor starts a sign-in, nor passes anything to the callback. */
export const plainProof: Omit<Proof, 'identity' | 'authentication'> = {
  names: [],
  cookies: noCookies,
  callbackUrl: null,
  initialUserId: undefined,
  isLink: undefined,
  oneTimeToken: null,
  submittedAt: null,
  callbackInput: {},
  storedInput: {}
}

/** A proof, or the page or redirect that must precede it. */
export type Verified =
  | { readonly kind: 'proof'; readonly proof: Proof }
  | { readonly kind: 'result'; readonly outcome: ActionResult }

/** The sign-in method of a kind of provider. */
export interface ProviderHandler<K extends keyof ProviderKinds> {
  start(provider: ProviderKinds[K], request: AuthRequest, config: Config): Promise<ActionResult>
  verify(provider: ProviderKinds[K], request: AuthRequest, config: Config): Promise<Verified>
}
