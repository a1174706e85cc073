import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { FeatureRequest, ProvenIdentity, SignInMethod } from '../features/feature.ts'
import { storedTicketKind } from '../features/feature-context.ts'
import type { RegisteredSignInMethod } from '../features/registry.ts'
import { signInErrorsOnly, thrownError } from '../hooks/authorize-sign-in.ts'
import { type ActionResult, redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import { parseAccountId } from '../model/account-id.ts'
import { authenticatedNow } from '../model/authentication.ts'
import type { Identity } from '../model/identity.ts'
import type { FeatureProvider } from '../model/provider.ts'
import { namesUser } from '../model/provider-traits.ts'
import { parseEmailAddress } from '../oauth/profile.ts'
import { createFeatureRequest } from './feature-request.ts'
import { type OneTimeToken, type Proof, type ProviderHandler, plainProof, type Verified } from './handler.ts'
import { createTicketToken } from './one-time-token.ts'
import { type CountedForm, credentialLimits } from './rate-limits.ts'

/** The method of a provider, and the request that its functions receive. */
function prepare({ id }: FeatureProvider, request: AuthRequest, config: Config): Prepared {
  const registered = config.features.signInMethods.get(id)
  if (!registered) throw new TypeError(`expected a feature with the sign-in method ${id}`)
  const { method, feature } = registered
  return { method, feature, featureRequest: createFeatureRequest(request, feature, config) }
}

interface Prepared extends Omit<RegisteredSignInMethod, 'texts'> {
  readonly featureRequest: FeatureRequest
}

/** Converts what the method proved; the account and the address are checked like those of a provider. */
function toIdentity({ id, type, traits }: FeatureProvider, proven: ProvenIdentity): Identity {
  const accountId = parseAccountId(proven.providerAccountId)
  if (accountId === null) throw new AuthError('Callback', `${id}: expected an account id`)
  const email = parseEmailAddress(proven.user.email)
  if (traits.accountPolicy === 'mailbox' && email === null)
    throw new AuthError('Callback', `${id}: expected an email address`)
  const account = { provider: id, type, providerAccountId: accountId }
  const user = { ...proven.user, id: proven.user.id ?? accountId, email }
  const emailVerified = email !== null && (proven.emailVerified === true || traits.accountPolicy === 'mailbox')
  return { account, row: account, user, emailVerified, profile: null }
}

/** Consumes a ticket of the feature when the sign-in completes. A proof is used once, also by a sign-in that fails. */
function createProofToken({ method, feature }: Prepared, { ticket, usedTicket }: ProvenIdentity): OneTimeToken | null {
  if (!ticket) return null
  const key = { kind: storedTicketKind(feature.id, ticket.kind), id: ticket.id }
  return {
    ...createTicketToken(key, `${method.id}: the ticket was used or has expired`),
    markUsed: async ({ tickets }) => {
      if (usedTicket) await tickets?.create({ ...usedTicket, kind: storedTicketKind(feature.id, usedTicket.kind) })
    }
  }
}

async function ask({ method, featureRequest }: Prepared): Promise<ProvenIdentity | ActionResult> {
  try {
    return await method.verify(featureRequest)
  } catch (thrown) {
    const callee = `providers.${method.id}.verify`
    throw thrownError(thrown, signInErrorsOnly, { fallback: 'CredentialsSignin', callee })
  }
}

/** The form of the method, for the limits of failed attempts. */
function toCountedForm({ id, form }: SignInMethod): CountedForm {
  const isForm = form?.type === 'credentials'
  const counted = { id, otherIdentifierFields: [], normalizeIdentifier: null }
  return { ...counted, fields: isForm ? form.fields : [], identifierField: isForm ? (form.identifier ?? null) : null }
}

/** Asks the method, and counts a failed attempt if the method limits them. An outage does not count. */
async function askWithLimits(prepared: Prepared, provider: FeatureProvider, config: Config): Promise<Asked> {
  const { method, featureRequest } = prepared
  const counted = method.limit === 'credentials' ? toCountedForm(method) : null
  const { names, attempt, accept } = credentialLimits(counted, featureRequest, config)
  const proven = await attempt(() => ask(prepared))
  if (proven.kind !== 'identity') return { result: proven }
  const identity = toIdentity(provider, proven)
  await accept(identity)
  return { proven, identity, names }
}

/** A page, or what was proven, with the usernames that were counted. */
type Asked =
  | { readonly result: ActionResult }
  | { readonly proven: ProvenIdentity; readonly identity: Identity; readonly names: readonly string[] }

async function verify(provider: FeatureProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const submittedAt = namesUser(provider.traits.accountPolicy) ? config.runtime.now() : null
  const prepared = prepare(provider, request, config)
  const asked = await askWithLimits(prepared, provider, config)
  if ('result' in asked) return { kind: 'result', outcome: asked.result }
  const { proven, identity, names } = asked
  const proof: Proof = {
    ...plainProof,
    identity,
    authentication: authenticatedNow(provider.id, proven.amr ?? [], config.runtime.now()),
    names,
    cookies: proven.cookies ?? noCookies,
    oneTimeToken: createProofToken(prepared, proven),
    newUserFactors: proven.newUserFactors ?? [],
    isForgotten: proven.remember === false,
    submittedAt,
    userVersion: proven.found?.version ?? null,
    found: proven.found ? { user: proven.found.user, version: proven.found.row } : null
  }
  return { kind: 'proof', proof }
}

/** Signs users in with the method of a feature. */
export const feature: ProviderHandler<'feature'> = {
  start: async (provider, request, config) => {
    const { method, featureRequest } = prepare(provider, request, config)
    return method.start ? method.start(featureRequest) : redirect(`${config.base}/signin`)
  },
  verify
}
