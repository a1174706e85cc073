import { type AdmitRules, type Admitted, admit, survey } from '../accounts/admit.ts'
import { admitCredentials } from '../accounts/admit-credentials.ts'
import type { Known } from '../accounts/decide.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken } from '../csrf/page-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { allow } from '../hooks/allow.ts'
import { type Remembered, rememberedOf } from '../hooks/remember.ts'
import { type Outcome, redirect, text } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import type { Proof } from '../provider-types/handler.ts'
import { handlerOf } from '../provider-types/handlers.ts'
import { limitCallbacks } from '../provider-types/limits.ts'
import { destination } from '../redirects/callback-url.ts'
import type { SignedIn } from '../sessions/strategy.ts'
import { withQuery } from './failure.ts'

/** Whose account it is decided for: nothing is stored where there is no store, or nothing to keep there. */
interface Surveyed {
  readonly known: Known | null
  readonly current: SignedIn | null
  readonly rules: AdmitRules | null
}

function admitRules(provider: Provider, { store, tell, runtime, unproven, providers }: Config): AdmitRules | null {
  if (!store || provider.kind === 'credentials') return null
  return {
    store,
    tell,
    unproven,
    now: runtime.now,
    mayLinkByEmail: provider.kind === 'oauth' && provider.allowDangerousEmailAccountLinking,
    verifiesEmail: (id) => {
      const other = providers.get(id)
      return other?.kind === 'oauth' && other.verifiesEmail
    }
  }
}

async function surveyed(proof: Proof, provider: Provider, request: AuthRequest, config: Config): Promise<Surveyed> {
  const rules = admitRules(provider, config)
  if (!rules) return { known: null, current: null, rules: null }
  const current = provider.kind === 'oauth' ? await config.sessions.identify(request.cookies) : null
  return { known: await survey(proof.identity, current, rules), current, rules }
}

/** The person that the `signIn` callback is asked about: the owner of the account or of the mailbox, else who was proven. */
function personOf({ identity }: Proof, known: Known | null): User {
  const { user, account } = identity
  if (account.type === 'email') return known?.namesake ?? { ...user, emailVerified: null }
  return known?.owner ?? user
}

async function settle(
  proof: Proof,
  { known, current, rules }: Surveyed,
  { store, isDatabaseSession, tell }: Config
): Promise<Admitted> {
  const { identity, startedBy } = proof
  const { account, user } = identity
  if (known && rules) return admit(identity, known, { current, startedBy }, rules)
  if (store && isDatabaseSession) return admitCredentials(identity, store, tell)
  return { user, account: { ...account, userId: user.id }, isNewUser: false }
}

/** How long this session lasts, where the application decides for each sign-in. */
async function rememberedFor(
  { question }: Proof,
  { user, account }: Admitted,
  { hooks: { remember } }: Config
): Promise<Remembered> {
  return remember ? rememberedOf(await remember({ user, account, ...question })) : null
}

/** Admits the user and opens the session. */
async function enter(
  proof: Proof,
  found: Surveyed,
  request: AuthRequest,
  config: Config
): Promise<{ readonly admitted: Admitted; readonly cookies: SetCookies }> {
  await proof.once?.take()
  const admitted = await settle(proof, found, config)
  const { profile } = proof.identity
  const remembered = await rememberedFor(proof, admitted, config)
  const session = await config.sessions.open({ ...admitted, profile, remembered }, request.cookies)
  // A token that was known before the principal changed must not work after it.
  const { cookies: csrf } = await freshCsrfToken(config.csrf)
  return { admitted, cookies: joinCookies(session, csrf) }
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
  const found = await surveyed(proof, provider, request, config)
  const question = { user: personOf(proof, found.known), account: proof.identity.account, ...proof.question }
  const granted = await allow(question, config.hooks.signIn, config.errors)
  if (granted.kind === 'elsewhere') {
    return redirect(new URL(granted.location, config.origin).href, await leave(proof))
  }
  const { admitted, cookies } = await enter(proof, found, request, config)
  await tellSignIn(proof, admitted, config)
  const wish =
    proof.callbackUrl === null ? request : { ...request, body: {}, query: { callbackUrl: proof.callbackUrl } }
  const { callbackUrl, cookies: remembered } = await destination(wish, config.redirects)
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
