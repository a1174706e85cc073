import {
  type FeatureContext,
  type FeatureCookie,
  type FeatureRequest,
  normalizeMailedCode,
  type SetCookies
} from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import {
  type CodePurpose,
  consumeMailedCode,
  getMailState,
  isMailedCode,
  isStillMailedCode,
  type MailState,
  mailCodeToOwner,
  renewMailedCode,
  toSessionPurpose
} from '../mail/mailed-code.ts'
import type { SignedInUser } from '../signed-in-user.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import { isTwoFactor } from '../two-factors.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { Passkey } from './stored-passkey.ts'

/** Whether the session proves that the owner of the account adds a passkey, or what would. */
export interface OwnerProof {
  /** Whether the passkey may count as two factors without a mailed code. */
  readonly isProven: boolean
  /** Whether a mailed code makes it count as two factors. */
  readonly mail: MailState
  /** The code of this browser, which may not be mailed yet; `null` if none helps. */
  readonly code: OwnerCode | null
  /** Whether this browser has entered it before the passkey is created. */
  readonly isEntered: boolean
}

/** What a code is mailed for, and the context of the second factor, which mails it. */
export interface OwnerCode {
  readonly purpose: CodePurpose
  readonly policy: FeatureContext
}

/** Which mailed code is of this browser. */
interface StoredCode {
  readonly id: string
  readonly userId: string
  /** The code, once it was entered; `null` before. */
  readonly entered: string | null
}

/** The id of the code is in a cookie: another session of the user must not use up its attempts. */
const getCookie = ({ context }: PasskeySetup): FeatureCookie =>
  context.cookie('add', { maxAge: ticketKinds.mailedCode.lifetime, hasHostPrefix: true })

const createCookie = (
  { id, user }: CodePurpose,
  entered: string | null,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies> => {
  const code: StoredCode = { id: id ?? '', userId: user.id, entered }
  return getCookie(setup).create(JSON.stringify(code), request)
}

/** @returns The removal of the cookie. */
export const forgetOwnerCode = (request: FeatureRequest, setup: PasskeySetup): SetCookies =>
  getCookie(setup).clear(request)

/**
 * Whether a new passkey may count as two factors: someone who knows the password must not get `mfa` with an authenticator of their
 * own beside the owner's. With a second factor, the first one needs a mailed code, as an authenticator app does.
 *
 * @param found - The user, at the highest level that the account has.
 */
export async function readOwnerProof(
  { user }: SignedInUser,
  passkeys: readonly Passkey[],
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<OwnerProof> {
  const { context } = setup
  const proof = { isProven: false, mail: 'none', code: null, isEntered: false } as const
  const parts = AccountPart.findAll(context)
  const policy = parts.factors
  if ((await request.getAuthentication())?.amr.includes('mfa')) return { ...proof, isProven: true }
  if (policy === null) return { ...proof, isProven: !passkeys.some((passkey) => isTwoFactor(passkey, parts)) }
  const text = await getCookie(setup).read(request)
  const stored: StoredCode | null = text === null ? null : JSON.parse(text)
  const { id, entered } = stored?.userId === user.id ? stored : { id: '', entered: null }
  const own = { purpose: toSessionPurpose(user, id), policy }
  if (entered !== null && (await isStillMailedCode(own.purpose, entered, policy)))
    return { ...proof, code: own, isEntered: true }
  if (id !== '' && entered === null) return { ...proof, mail: await getMailState(own.purpose, policy), code: own }
  // One that was entered and is not right any more, such as for another address, is replaced.
  const purpose = toSessionPurpose(user, Buffer.from(context.randomBytes(32)).toString('base64url'))
  return { ...proof, mail: await getMailState(purpose, policy), code: { purpose, policy } }
}

/** Mails a code to the signed-in user. @returns The cookie to set. @throws AuthError `RateLimited`, `EmailSignin` */
export async function mailOwnerCode(
  { purpose, policy }: OwnerCode,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies> {
  await mailCodeToOwner(purpose, request, policy)
  return createCookie(purpose, null, request, setup)
}

/**
 * Verifies a code before the passkey is created, and keeps it in the cookie: a passkey that is created for a wrong code would stay on
 * the device.
 *
 * @returns The cookie to set; `null` if the code is wrong, or was not sent.
 */
export async function enterOwnerCode(
  typed: string,
  { purpose, policy }: OwnerCode,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies | null> {
  if (!(await isMailedCode(purpose, typed, policy))) return null
  await renewMailedCode(purpose, policy)
  // As the code was mailed: what follows it in a long text would not fit into a cookie.
  return createCookie(purpose, normalizeMailedCode(typed), request, setup)
}

/** Stops waiting for a mailed code. @returns The removal of its cookie. */
export async function cancelOwnerCode(
  { purpose, policy }: OwnerCode,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<SetCookies> {
  await consumeMailedCode(purpose, policy)
  return forgetOwnerCode(request, setup)
}
