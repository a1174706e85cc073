import { type AdmitRules, type Admitted, admit, survey } from '../accounts/admit.ts'
import { admitCredentials } from '../accounts/admit-credentials.ts'
import type { Known } from '../accounts/decide.ts'
import { stepByStep, UnfinishedError, type UnitOfWork, unitOfWork } from '../accounts/unit-of-work.ts'
import { StoreError } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { type Remembered, rememberedOf } from '../hooks/remember.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import type { Proof } from '../provider-types/handler.ts'
import type { SignedIn } from '../sessions/strategy.ts'
import { visitorOf } from '../sessions/visitor.ts'

/** Whose account it is decided for: nothing is stored where there is no store, or nothing to keep there. */
export interface Surveyed {
  readonly known: Known | null
  readonly current: SignedIn | null
  readonly rules: AdmitRules | null
  readonly work: UnitOfWork
}

/** A proof on its way in. */
interface Entrant {
  readonly proof: Proof
  readonly provider: Provider
  readonly request: AuthRequest
}

/** Who comes in, and the cookies that go with it. */
export interface Entered {
  readonly admitted: Admitted
  readonly cookies: SetCookies
}

/** How often a transaction is gone through; after that the writes are made one after another. */
const mostTransactions = 3

function admitRules(provider: Provider, { store, tell }: UnitOfWork, config: Config): AdmitRules | null {
  const { runtime, unproven, providers, register } = config
  if (!store || provider.kind === 'credentials') return null
  return {
    store,
    tell,
    unproven,
    now: runtime.now,
    endTokens: register && ((userId) => register.endAll(userId)),
    mayLinkByEmail: provider.kind === 'oauth' && provider.allowDangerousEmailAccountLinking,
    verifiesEmail: (id) => {
      const other = providers.get(id)
      return other?.kind === 'oauth' && other.verifiesEmail
    }
  }
}

async function surveyFor(work: UnitOfWork, { proof, provider, request }: Entrant, config: Config): Promise<Surveyed> {
  const rules = admitRules(provider, work, config)
  if (!rules) return { known: null, current: null, rules: null, work }
  const current = provider.kind === 'oauth' ? await config.sessions.identify(request.cookies) : null
  return { known: await survey(proof.identity, current, rules), current, rules, work }
}

/** Looks who it is, before anything is written. @throws AuthError `StoreUnavailable` */
export async function surveyed(entrant: Entrant, config: Config): Promise<Surveyed> {
  const { store, tell, runtime } = config
  return surveyFor(unitOfWork(store, tell, runtime, null), entrant, config)
}

async function settle(proof: Proof, { known, current, rules, work }: Surveyed, config: Config): Promise<Admitted> {
  const { identity, startedBy } = proof
  const { account, user } = identity
  if (known && rules) return admit(identity, known, { current, startedBy }, rules)
  if (work.store && config.isDatabaseSession) return admitCredentials(identity, work.store, work.tell)
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

async function enterOnce({ proof, request }: Entrant, found: Surveyed, config: Config): Promise<Entered> {
  const { work } = found
  try {
    if (work.store) await proof.once?.take(work.store)
    const admitted = await settle(proof, found, config)
    // A signed token is in no store; the callback that fills it finds everything there.
    if (!config.isDatabaseSession) await work.finish()
    const remembered = await rememberedFor(proof, admitted, config)
    const { profile } = proof.identity
    const admission = { ...admitted, profile, remembered, visitor: visitorOf(request), store: work.store }
    const session = await config.sessions.open(admission, request.cookies)
    await work.finish()
    // A token that was known before the principal changed must not work after it.
    const { cookies: csrf } = await freshCsrfToken(config.csrf)
    return { admitted, cookies: joinCookies(session, csrf) }
  } catch (error) {
    if (work.isPending()) proof.once?.forget()
    throw error
  }
}

/** A store that answers, but does not take the new user: as next-auth v4 calls it. */
function refusalOf({ plan, reason }: UnfinishedError, { identity: { account } }: Proof): AuthError {
  if (!(reason instanceof StoreError) || reason.isOutage || !plan.includes('createUser')) return reason
  const codes = { email: 'EmailCreateAccount', credentials: 'Callback' } as const
  const code = account.type === 'email' || account.type === 'credentials' ? codes[account.type] : 'OAuthCreateAccount'
  return new AuthError(code, reason.message, { cause: reason })
}

/**
 * Admits the user and opens the session, in one transaction where the store makes them.
 *
 * One that was not made is looked at again: who came second of two first sign-ins goes on as the user of the first.
 */
export async function enter(entrant: Entrant, first: Surveyed, config: Config): Promise<Entered> {
  const { store, tell, runtime } = config
  let found = first
  for (let count = 1; ; count++) {
    try {
      return await enterOnce(entrant, found, config)
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error
      if (error.isFinal) throw refusalOf(error, entrant.proof)
      const isEnough = count >= mostTransactions
      const work = isEnough ? stepByStep(store, tell) : unitOfWork(store, tell, runtime, error)
      found = await surveyFor(work, entrant, config)
    }
  }
}
