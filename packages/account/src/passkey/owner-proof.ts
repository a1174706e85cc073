import type { FeatureCookie, FeatureRequest, SetCookies } from '@postern/core/feature'
import {
  consumeMailboxProof,
  consumeMailedCode,
  getMailState,
  hasMailboxProof,
  isMailedCode,
  type MailState,
  mailCodeToOwner,
  maxAge,
  saveMailboxProof,
  toSessionPurpose
} from '../mail/mailed-code.ts'
import { RegisteredFactors } from '../second-factor/registered-factors.ts'
import type { SignedInUser } from '../signed-in-user.ts'
import { isTwoFactor } from '../two-factors.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { Passkey } from './stored-passkey.ts'

/** Whether the session proves that the owner of the account adds a passkey, or what would. */
export interface OwnerProof {
  /** Whether the passkey may count as two factors without a mailed code. */
  readonly isProven: boolean
  /** Whether a mailed code makes it count as two factors. */
  readonly mail: MailState
  /** What the code of this browser is mailed for; `null` before it was sent. */
  readonly codeId: string | null
  /** The mailed code, if this browser has entered it before the passkey is created; otherwise `null`. */
  readonly code: OwnerCode | null
}

/** A mailed code that is right. */
export interface OwnerCode {
  /** Uses it up. @returns `false` if another request was faster. */
  readonly consume: () => Promise<boolean>
  /** The removal of its cookie. */
  readonly cookies: SetCookies
}

/** Which mailed code is of this browser. */
interface StoredCode {
  readonly id: string
  readonly userId: string
}

/** The id of the code is in a cookie: another session of the user must not use up its attempts. */
const getCookie = ({ context }: PasskeySetup): FeatureCookie => context.cookie('add', { maxAge, hasHostPrefix: true })

async function readCodeId(
  { user }: SignedInUser,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<string | null> {
  const text = await getCookie(setup).read(request)
  if (text === null) return null
  const { id, userId }: StoredCode = JSON.parse(text)
  return userId === user.id ? id : null
}

const createCookie = (code: StoredCode, request: FeatureRequest, setup: PasskeySetup): Promise<SetCookies> =>
  getCookie(setup).create(JSON.stringify(code), request)

/**
 * Whether a new passkey may count as two factors: someone who knows the password must not get `mfa` with an authenticator of their
 * own beside the owner's. With a second factor, the first one needs a mailed code, as an authenticator app does.
 *
 * @param found - The user, at the highest level that the account has.
 */
export async function readOwnerProof(
  found: SignedInUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<OwnerProof> {
  const proof = { isProven: false, mail: 'none', codeId: null, code: null } as const
  const policy = RegisteredFactors.find(setup.context)
  if ((await request.getAuthentication())?.amr.includes('mfa')) return { ...proof, isProven: true }
  if (policy === null) return { ...proof, isProven: !passkeys.some((passkey) => isTwoFactor(passkey, setup.context)) }
  const codeId = await readCodeId(found, request, setup)
  const purpose = toSessionPurpose(found.user, codeId ?? '')
  if (codeId === null || !(await hasMailboxProof(purpose, policy)))
    return { ...proof, codeId, mail: await getMailState(purpose, policy) }
  const consume = (): Promise<boolean> => consumeMailboxProof(purpose, policy)
  return { ...proof, codeId, code: { consume, cookies: getCookie(setup).clear(request) } }
}

/** Mails a code to the signed-in user. @returns The cookie to set. @throws AuthError `RateLimited`, `EmailSignin` */
export async function mailOwnerCode(
  { user }: SignedInUser,
  { codeId }: OwnerProof,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies> {
  const policy = RegisteredFactors.find(setup.context)
  if (policy === null) return new Map()
  const id = codeId ?? Buffer.from(setup.context.randomBytes(32)).toString('base64url')
  await mailCodeToOwner(toSessionPurpose(user, id), request, policy)
  return createCookie({ id, userId: user.id }, request, setup)
}

/**
 * Verifies a code before the passkey is created, uses it up, and keeps that it was right: a passkey that is created for a wrong code
 * would stay on the device.
 *
 * @returns The cookie to set; `null` if the code is wrong, or was not sent.
 */
export async function proveOwner(
  typed: string,
  { user, proof }: { readonly user: SignedInUser['user']; readonly proof: OwnerProof },
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies | null> {
  const code = await verifyOwnerCode(typed, { user, proof }, request, setup)
  const { codeId } = proof
  const policy = RegisteredFactors.find(setup.context)
  if (code === null || codeId === null || policy === null || !(await code.consume())) return null
  await saveMailboxProof(toSessionPurpose(user, codeId), policy)
  return createCookie({ id: codeId, userId: user.id }, request, setup)
}

/** Stops waiting for a mailed code. @returns The removal of its cookie. */
export async function cancelOwnerCode(
  { user }: SignedInUser,
  { codeId }: OwnerProof,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies> {
  const policy = RegisteredFactors.find(setup.context)
  if (codeId !== null && policy !== null) await consumeMailedCode(toSessionPurpose(user, codeId), policy)
  return getCookie(setup).clear(request)
}

/** Verifies a typed code, and counts the attempt. @returns `null` if it is wrong, or was not sent. */
export async function verifyOwnerCode(
  typed: string,
  { user, proof: { codeId, mail } }: { readonly user: SignedInUser['user']; readonly proof: OwnerProof },
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<OwnerCode | null> {
  const policy = RegisteredFactors.find(setup.context)
  if (policy === null || codeId === null || mail !== 'sent') return null
  const purpose = toSessionPurpose(user, codeId)
  if (!(await isMailedCode(purpose, typed, policy))) return null
  return { consume: () => consumeMailedCode(purpose, policy), cookies: getCookie(setup).clear(request) }
}
