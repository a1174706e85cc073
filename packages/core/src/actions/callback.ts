import type { Admitted } from '../accounts/admit.ts'
import type { Known } from '../accounts/decide.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { allow } from '../hooks/allow.ts'
import { type Outcome, redirect, text } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import type { Proof } from '../provider-types/handler.ts'
import { handlerOf } from '../provider-types/handlers.ts'
import { limitCallbacks } from '../provider-types/limits.ts'
import { destination } from '../redirects/callback-url.ts'
import { enter, surveyed } from './enter.ts'
import { withQuery } from './failure.ts'

/** The person that the `signIn` callback is asked about: the owner of the account or of the mailbox, else who was proven. */
function personOf({ identity }: Proof, known: Known | null): User {
  const { user, account } = identity
  if (account.type === 'email') return known?.namesake ?? { ...user, emailVerified: null }
  return known?.owner ?? user
}

async function tellSignIn(
  { identity }: Proof,
  { user, account, isNewUser }: Admitted,
  { tell }: Config
): Promise<void> {
  const { profile, user: mapped } = identity
  if (account.type === 'credentials') await tell('signIn', { user, account })
  else await tell('signIn', { user, account, isNewUser, ...(profile ? { profile: mapped } : {}) })
}

function nextPage(isNewUser: boolean, callbackUrl: string, { pages, base, origin }: Config): string {
  if (!isNewUser || pages.newUser === null) return callbackUrl
  return withQuery(pages.newUser === true ? `${base}/welcome` : pages.newUser, { callbackUrl }, origin)
}

/** Nothing came of a proof: a link goes back to where it was and is not forgotten, an attempt is spent. */
async function leave({ once, cookies }: Proof): Promise<SetCookies> {
  await once?.putBack().catch(() => undefined)
  return once ? noCookies : cookies
}

async function complete(proof: Proof, provider: Provider, request: AuthRequest, config: Config): Promise<Outcome> {
  const entrant = { proof, provider, request }
  const found = await surveyed(entrant, config)
  const question = { user: personOf(proof, found.known), account: proof.identity.account, ...proof.question }
  const granted = await allow(question, config.hooks.signIn, config.errors)
  if (granted.kind === 'elsewhere') {
    return redirect(new URL(granted.location, config.origin).href, await leave(proof))
  }
  const { admitted, cookies } = await enter(entrant, found, config)
  await tellSignIn(proof, admitted, config)
  const wish =
    proof.callbackUrl === null ? request : { ...request, body: {}, query: { callbackUrl: proof.callbackUrl } }
  const { callbackUrl, cookies: remembered } = await destination(wish, config.redirects)
  config.pass('before-answer')
  return redirect(nextPage(admitted.isNewUser, callbackUrl, config), joinCookies(proof.cookies, cookies, remembered))
}

/**
 * Finishes a sign-in: verify (the provider), allow (the application), admit (whose account), open (the session), go.
 *
 * @throws AuthError
 */
export async function finishSignIn(request: AuthRequest, config: Config, provider: Provider): Promise<Outcome> {
  const handler = handlerOf(provider)
  if (request.method === 'HEAD') return text('', 200)
  if (!handler.methods.some((method) => method === request.method)) {
    return text(`Error: Callback for provider type ${provider.type} not supported`, 500)
  }
  await limitCallbacks(request, config)
  const verified = await handler.verify(provider, request, config)
  if (verified.kind === 'answer') return verified.outcome
  const { proof } = verified
  try {
    return await complete(proof, provider, request, config)
  } catch (error) {
    const cookies = await leave(proof)
    if (error instanceof AuthError) throw error.spending(cookies)
    throw new AuthError('Callback', 'the sign-in could not be completed', { cause: error, cookies })
  }
}
