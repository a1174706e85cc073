import type { Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import type { SignInQuestion } from '../hooks/hooks.ts'
import type { Outcome } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import type { ProviderKinds } from '../model/provider.ts'

/** Something that may be used once: taken when all have agreed, put back when it comes to nothing after all. */
export interface OneTime {
  /**
   * @param store - Where it is taken from; one that notes what is written takes it later.
   * @throws AuthError `Verification`: somebody else was faster.
   */
  readonly take: (store: Store) => Promise<void>
  /** What was noted was not taken after all: there is nothing to put back. */
  readonly forget: () => void
  /** Undoes whatever was taken so far; nothing, where nothing was. */
  readonly putBack: () => Promise<void>
}

/** What a provider proved, and what goes with it. */
export interface Proof {
  readonly identity: Identity
  /** Cookies that go with the proof: spent whatever comes of it, unless it may be used `once` again. */
  readonly cookies: SetCookies
  /** Where the attempt wants to go, or `null` where only the request says so. */
  readonly callbackUrl: string | null
  /** Who was signed in when the attempt began; `undefined` where there is no attempt. */
  readonly startedBy: string | null | undefined
  readonly once: OneTime | null
  /** What the `signIn` callback is told besides. */
  readonly question: Pick<SignInQuestion, 'profile' | 'credentials'>
}

/** A proof, or the page or redirect that has to come before one. */
export type Verified =
  | { readonly kind: 'proof'; readonly proof: Proof }
  | { readonly kind: 'answer'; readonly outcome: Outcome }

/** Whether a POST to the callback of a kind needs the anti-forgery token; it is asked before the handler is loaded. */
export const csrfOnCallback: { readonly [K in keyof ProviderKinds]: boolean } = {
  credentials: true,
  email: true,
  oauth: false
}

/** What a kind of provider does. */
export interface ProviderHandler<K extends keyof ProviderKinds> {
  /** The methods of its callback. */
  readonly methods: readonly ('GET' | 'POST')[]
  start(provider: ProviderKinds[K], request: AuthRequest, config: Config): Promise<Outcome>
  verify(provider: ProviderKinds[K], request: AuthRequest, config: Config): Promise<Verified>
}
