import type { FeatureCookie, FeatureRequest, SetCookies } from '@postern/core/feature'
import {
  consumeMailedCode,
  getMailState,
  isMailedCode,
  type MailState,
  mailCodeToOwner,
  maxAge,
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
  const { id, userId }: { readonly id: string; readonly userId: string } = JSON.parse(text)
  return userId === user.id ? id : null
}

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
  const proof = { isProven: false, mail: 'none', codeId: null } as const
  const policy = RegisteredFactors.find(setup.context)
  if ((await request.getAuthentication())?.amr.includes('mfa')) return { ...proof, isProven: true }
  if (policy === null) return { ...proof, isProven: !passkeys.some((passkey) => isTwoFactor(passkey, setup.context)) }
  const codeId = await readCodeId(found, request, setup)
  return { ...proof, codeId, mail: await getMailState(toSessionPurpose(found.user, codeId ?? ''), policy) }
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
  return getCookie(setup).create(JSON.stringify({ id, userId: user.id }), request)
}

/** A mailed code that is right. */
export interface OwnerCode {
  /** Uses it up. @returns `false` if another request was faster. */
  readonly consume: () => Promise<boolean>
  /** The removal of its cookie. */
  readonly cookies: SetCookies
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
