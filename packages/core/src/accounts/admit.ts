import type { AdapterUser, NewUser } from '../adapter/adapter.ts'
import { StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Tell } from '../hooks/events.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import type { User } from '../model/user.ts'
import type { SignedIn } from '../sessions/strategy.ts'
import { createThenLink } from './create-then-link.ts'
import { type Decision, decide } from './decide.ts'
import { OtherUserError } from './other-user.ts'
import { ownerOf } from './owner.ts'
import { proveAddress } from './prove-address.ts'
import { type SurveyRules, survey } from './survey.ts'

/** What admission works with. */
export interface AdmitRules extends SurveyRules {
  readonly tell: Tell
  readonly now: () => number
  /** What becomes of an unproven user's sessions and accounts when a link proves the address. */
  readonly unproven: 'unlink' | 'keep'
  /** Ends all sessions of a user that are signed tokens; `null` where nobody can. */
  readonly endTokens: ((userId: string) => Promise<unknown>) | null
  /** Whether a provider has proven every address that it reports. */
  readonly verifiesEmail: (provider: string) => boolean
}

/** Who was signed in when the attempt began, and who is now. */
export interface Around {
  readonly signedIn: SignedIn | null
  /** The user's id, `null` for nobody, `undefined` where the way in has no attempt. */
  readonly startedBy: string | null | undefined
}

/** Whose session is to be opened. */
export interface Admitted {
  readonly user: User
  readonly account: Account
  readonly isNewUser: boolean
}

/**
 * Signs in, links or creates the user that a proven identity belongs to, as next-auth v4's linking rules say.
 *
 * @param owner - As `ownerOf` found them before the application was asked.
 * @throws AuthError `OAuthAccountNotLinked`, `OAuthCreateAccount`, `EmailCreateAccount`, `StoreUnavailable`
 */
export async function admit(
  identity: Identity,
  owner: AdapterUser | null,
  { signedIn, startedBy }: Around,
  rules: AdmitRules
): Promise<Admitted> {
  const { account } = identity
  const known = await survey(identity, owner, signedIn, rules)
  const { current } = known
  const isSomebodyElse = current && startedBy !== undefined && startedBy !== current.id
  if (signedIn && isSomebodyElse && known.owner?.id !== current.id) throw new OtherUserError(account.provider, signedIn)
  return carryOut(decide(account.type, known), identity, rules)
}

async function carryOut(decision: Decision, identity: Identity, rules: AdmitRules): Promise<Admitted> {
  const { account } = identity
  switch (decision.kind) {
    case 'refuse':
      throw new AuthError(
        'OAuthAccountNotLinked',
        `${account.provider}: the account or its address belongs to another user`
      )
    case 'create':
      return create(identity, rules)
    case 'link':
      await link(decision.user, identity, rules)
      return admitted(await confirmed(decision.user, identity, rules), account, false)
    case 'sign-in':
      if (account.type === 'email') return admitted(await proveAddress(decision.user, rules), account, false)
      await refreshTokens(identity.row, rules)
      return admitted(await confirmed(decision.user, identity, rules), account, false)
  }
}

function admitted(user: User, account: Account, isNewUser: boolean): Admitted {
  return { user, account: { ...account, userId: user.id }, isNewUser }
}

/** Tokens are kept fresh at every sign-in; that they could not be written is no reason to refuse it. */
async function refreshTokens(account: Account, { store }: AdmitRules): Promise<void> {
  if (account.type === 'credentials') return
  // An answer that does not say when its token ends must not leave the end of the one before.
  await store.updateAccount?.({ expires_at: null, ...account }).catch(() => undefined)
}

/** Notes that the provider states the address as proven, where it is the user's own. */
async function confirmed(
  user: AdapterUser,
  { user: person, emailVerified }: Identity,
  { store, now }: AdmitRules
): Promise<AdapterUser> {
  if (!emailVerified || user.emailVerified || user.email !== person.email) return user
  return store.updateUser({ id: user.id, emailVerified: new Date(now()) }).catch(() => user)
}

async function link(
  user: AdapterUser,
  { account, row, user: profile }: Identity,
  { store, tell }: AdmitRules
): Promise<void> {
  try {
    await store.linkAccount({ ...row, userId: user.id })
  } catch (error) {
    // Somebody else may have linked it in this very moment: to the same user is as good as done.
    const owner = await store.getUserByAccount(account)
    if (!owner) throw error
    if (owner.id !== user.id)
      throw new AuthError('OAuthAccountNotLinked', `${account.provider}: linked to another user meanwhile`)
    return
  }
  await tell('linkAccount', { user, account, profile })
}

/** The row of a new user: the store chooses the id. */
function newUser({ user, account, emailVerified }: Identity, now: number): NewUser {
  const { id: _, ...fields } = user
  const isProven = emailVerified || account.type === 'email'
  return { ...fields, email: user.email ?? null, emailVerified: isProven ? new Date(now) : null }
}

async function create(identity: Identity, rules: AdmitRules): Promise<Admitted> {
  const { account, user: profile } = identity
  const { tell } = rules
  try {
    const user = await insert(identity, rules)
    await tell('createUser', { user })
    if (account.type !== 'email') await tell('linkAccount', { user, account, profile })
    return admitted(user, account, true)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return afterLostRace(error, identity, rules)
  }
}

/** Writes user and account together where the store can; otherwise one after the other. */
async function insert(identity: Identity, { store, now }: AdmitRules): Promise<AdapterUser> {
  const { account, row: kept } = identity
  const row = newUser(identity, now())
  if (account.type === 'email') return store.createUser(row)
  if (store.createUserWithAccount) return store.createUserWithAccount(row, kept)
  // The address counts as proven only once the account is there: until then the next sign-in may adopt the user.
  const user = await createThenLink({ ...row, emailVerified: null }, kept, store)
  return row.emailVerified
    ? store.updateUser({ id: user.id, emailVerified: row.emailVerified }).catch(() => user)
    : user
}

/** Two first sign-ins at once: the one whose rows came second goes on as the user of the first. */
async function afterLostRace(error: StoreError, identity: Identity, rules: AdmitRules): Promise<Admitted> {
  const owner = await ownerOf(identity, rules.store)
  const decision = decide(identity.account.type, await survey(identity, owner, null, rules))
  if (decision.kind !== 'create') return carryOut(decision, identity, rules)
  if (error.isOutage) throw error
  const isByMail = identity.account.type === 'email'
  throw new AuthError(isByMail ? 'EmailCreateAccount' : 'OAuthCreateAccount', error.message, { cause: error })
}
