import { loadLazyActions } from '../actions/load-lazy-actions.ts'
import type { SignInOutcome as Completed } from '../actions/sign-in.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Config, Services } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { reportRefusal } from '../features/refusal.ts'
import type { AuthRequest } from '../http/request.ts'
import { parseAmr } from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Shape } from '../schema/schema.ts'

/** What the application states about a sign-in that it has verified. */
export interface SignInOptions {
  /** What it has verified (RFC 8176), such as `['pwd']`. @defaultValue nothing that has a value */
  readonly amr?: readonly string[] | undefined
  /** Where the user continues; checked like that of any sign-in. @defaultValue `callbackUrl` of the request or its cookie */
  readonly callbackUrl?: string | undefined
}

/**
 * What a sign-in led to. Send the user to `url` in each case.
 *
 * - `signed-in`: the session exists; `url` is where the user continues.
 * - `pending`: an interruption, such as a second factor, must pass first; `url` is its page. Nobody is signed in.
 * - `redirect`: `callbacks.signIn` returned this URL in place of a permission. Nobody is signed in.
 */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly url: string }
  | { readonly kind: 'pending'; readonly url: string }
  | { readonly kind: 'redirect'; readonly url: string }

export interface SignInControl {
  /**
   * Signs in a stored user whom the application has verified by its own means. It takes the same steps as every sign-in:
   * the `signIn` callback, suspensions, interruptions, a required step-up, and the limit of sessions.
   *
   * @param startedAt - When the application began to verify the user, in milliseconds since 1970: if the sessions of the
   * user have ended since, the sign-in is refused, and also after a minute. @defaultValue now
   * @returns What it led to, and the cookies to set.
   * @throws AuthError if it is refused, with its code, such as `AccessDenied` or `UserSuspended`, and the cookies to set;
   * AccountError `UNKNOWN_USER`, `INVALID_USER_ID`, `ADAPTER_INCOMPLETE`
   */
  signIn(
    request: AuthRequest,
    userId: string,
    options?: SignInOptions,
    startedAt?: number
  ): Promise<SignInOutcome & { readonly cookies: SetCookies }>
}

const shape: Shape = { amr: 'strings', callbackUrl: 'string' }

const isAmr = (amr: readonly string[]): boolean =>
  parseAmr(amr).length === amr.length && amr.every((value) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value))

function parseOptions(options: SignInOptions) {
  assertShape('signIn', options, shape)
  const { amr = [], callbackUrl = null } = options
  if (!isAmr(amr))
    throw new TypeError('signIn: expected amr to be up to 16 values such as pwd, without spaces and quotes')
  return { amr, callbackUrl }
}

/** The configuration for a request. @throws AuthError `Configuration` if its host is not one of the application's */
export function requireConfig(
  call: string,
  { origin }: Pick<AuthRequest, 'origin'>,
  configFor: (origin: string) => Config | null
): Config {
  const config = configFor(origin)
  if (config) return config
  throw new AuthError('Configuration', `${call}: expected a request for a host of the application`, { status: 400 })
}

/** Creates the {@link SignInControl} of an instance. */
export function signInControl(
  { runtime, expiredRowCleanup }: Services,
  configFor: (origin: string) => Config | null
): SignInControl {
  return {
    signIn: async (request, userId, given = {}, startedAt = runtime.now()) => {
      assertTexts('signIn', { userId })
      const { amr, callbackUrl } = parseOptions(given)
      const config = requireConfig('signIn', request, configFor)
      const { signInUser } = await loadLazyActions()
      const options = { amr, callbackUrl, startedAt }
      const outcome: Completed = await signInUser(request, userId, options, config).catch((error: unknown) => {
        const refused = { kind: 'sign-in', route: 'app.postern.signIn', provider: null, request } as const
        if (error instanceof AuthError) reportRefusal(error.withUser(userId), refused, config.features.onRefusal)
        throw error
      })
      expiredRowCleanup?.begin()
      return outcome
    }
  }
}
