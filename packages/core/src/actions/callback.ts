import { type Admitted, admit } from '../accounts/admit.ts'
import { admitCredentials } from '../accounts/admit-credentials.ts'
import { ownerOf } from '../accounts/owner.ts'
import { refusalOf, stepByStep, UnfinishedError, type UnitOfWork, unitOfWork } from '../accounts/unit-of-work.ts'
import type { AdapterUser } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { allow } from '../hooks/authorize-sign-in.ts'
import { rememberedOf } from '../hooks/remember.ts'
import { type Outcome, redirect, text } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import type { Proof } from '../provider-types/handler.ts'
import { handlerOf } from '../sign-in-methods/handlers.ts'
import { limitCallbacks } from '../provider-types/limits.ts'
import { destination } from '../redirects/callback-url.ts'
import type { FoundSession } from '../sessions/strategy.ts'
import { visitorOf } from '../sessions/visitor.ts'
import { withQuery } from './error-response.ts'
import { type Run, unknownProvider } from './row.ts'

/** A proof on its way in. */
interface Entrant {
  readonly proof: Proof
  readonly provider: Provider
  readonly request: AuthRequest
}

/** What was looked up for a proof, and where it is written what comes of it. */
interface Lookup {
  /** Whose it is already; `null` also where nothing of it is stored. */
  readonly owner: AdapterUser | null
  readonly work: UnitOfWork
}

/** Who comes in, and the cookies that go with it. */
interface Entered {
  readonly admitted: Admitted
  readonly cookies: SetCookies
}

/** How often a transaction is gone through; after that the writes are made one after another. */
const mostTransactions = 3

/** Looks whose it is, before anything is asked or written. @throws AuthError `StoreUnavailable` */
async function lookUp({ proof, provider }: Entrant, work: UnitOfWork): Promise<Lookup> {
  const store = provider.kind === 'credentials' ? null : work.store
  return { owner: store && (await ownerOf(proof.identity, store)), work }
}

/** The person that the `signIn` callback is asked about: the owner of the account or of the mailbox, else who was proven. */
function personOf({ identity: { account, user } }: Proof, owner: AdapterUser | null): User {
  return owner ?? (account.type === 'email' ? { ...user, emailVerified: null } : user)
}

async function admitted(
  { proof, provider }: Entrant,
  { owner, work: { store, tell } }: Lookup,
  before: FoundSession | null,
  { admission, isDatabaseSession }: Config
): Promise<Admitted> {
  const { identity, startedBy } = proof
  const { account, user } = identity
  if (store && provider.kind !== 'credentials') {
    const mayLinkByEmail = provider.kind === 'oauth' && provider.allowDangerousEmailAccountLinking
    const around = { signedIn: before?.signedIn ?? null, startedBy }
    return admit(identity, owner, around, { ...admission, store, tell, mayLinkByEmail })
  }
  if (store && isDatabaseSession) return admitCredentials(identity, store, tell)
  return { user, account: { ...account, userId: user.id }, isNewUser: false }
}

/** Looks for the session that the browser came with, where an account may be linked to its user, or where it can be ended. */
async function sessionBefore(
  { provider, request }: Entrant,
  { store }: UnitOfWork,
  { finder, isDatabaseSession, revocations }: Config
): Promise<FoundSession | null> {
  const isAsked = isDatabaseSession || revocations !== null || (store !== null && provider.kind === 'oauth')
  return isAsked ? finder.find(request.cookies) : null
}

/** Admits the user and opens the session. @throws UnfinishedError the transaction was not made. */
async function enterOnce(entrant: Entrant, found: Lookup, config: Config): Promise<Entered> {
  const { hooks, sessions, isDatabaseSession, csrf } = config
  const { proof, request } = entrant
  const { work } = found
  try {
    if (work.store) await proof.once?.take(work.store)
    const before = await sessionBefore(entrant, work, config)
    const who = await admitted(entrant, found, before, config)
    // A signed token is in no store; the callback that fills it finds everything there.
    if (!isDatabaseSession) await work.finish()
    const { user, account } = who
    const remembered = hooks.remember ? rememberedOf(await hooks.remember({ user, account, ...proof.question })) : null
    const { profile } = proof.identity
    const admission = { ...who, profile, remembered, visitor: visitorOf(request), store: work.store }
    const session = await sessions.open(admission, before, request.cookies)
    await work.finish()
    // A token that was known before the principal changed must not work after it.
    return { admitted: who, cookies: joinCookies(session, (await freshCsrfToken(csrf)).cookies) }
  } catch (error) {
    if (work.isPending()) proof.once?.forget()
    throw error
  }
}

/**
 * Admits the user and opens the session, in one transaction where the store makes them.
 *
 * One that was not made is looked at again: who came second of two first sign-ins goes on as the user of the first.
 */
async function enter(entrant: Entrant, first: Lookup, config: Config): Promise<Entered> {
  const { store, tell, runtime } = config
  let found = first
  for (let count = 1; ; count++) {
    try {
      return await enterOnce(entrant, found, config)
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error
      if (error.isFinal) throw refusalOf(error, entrant.proof.identity.account.type)
      const isEnough = count >= mostTransactions
      const work = isEnough ? stepByStep(store, tell) : unitOfWork(store, tell, runtime, error)
      found = await lookUp(entrant, work)
    }
  }
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

function nextPage({ isNewUser }: Admitted, callbackUrl: string, { pages, base, origin }: Config): string {
  if (!isNewUser || pages.newUser === null) return callbackUrl
  return withQuery(pages.newUser === true ? `${base}/welcome` : pages.newUser, { callbackUrl }, origin)
}

/** Nothing came of a proof: a link goes back to where it was and is not forgotten, an attempt is spent. */
async function abandon({ once, cookies }: Proof): Promise<SetCookies> {
  await once?.putBack().catch(() => undefined)
  return once ? noCookies : cookies
}

async function complete(entrant: Entrant, config: Config): Promise<Outcome> {
  const { store, tell, runtime, hooks, errors, origin, redirects } = config
  const { proof, request } = entrant
  const found = await lookUp(entrant, unitOfWork(store, tell, runtime, null))
  const question = { user: personOf(proof, found.owner), account: proof.identity.account, ...proof.question }
  const granted = await allow(question, hooks.signIn, errors)
  if (granted.kind === 'elsewhere') return redirect(new URL(granted.location, origin).href, await abandon(proof))
  const { admitted: who, cookies } = await enter(entrant, found, config)
  await tellSignIn(proof, who, config)
  const wish =
    proof.callbackUrl === null ? request : { ...request, body: {}, query: { callbackUrl: proof.callbackUrl } }
  const { callbackUrl, cookies: remembered } = await destination(wish, redirects)
  config.pass('before-answer')
  return redirect(nextPage(who, callbackUrl, config), joinCookies(proof.cookies, cookies, remembered))
}

/**
 * Finishes a sign-in: verify (the provider), allow (the application), admit (whose account), open (the session), go.
 *
 * @throws AuthError
 */
export const finishSignIn: Run = async (request, config, provider) => {
  if (!provider) return unknownProvider
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
    return await complete({ proof, provider, request }, config)
  } catch (error) {
    const cookies = await abandon(proof)
    if (error instanceof AuthError) throw error.spending(cookies)
    throw new AuthError('Callback', 'the sign-in could not be completed', { cause: error, cookies })
  }
}
