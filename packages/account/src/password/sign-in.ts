import {
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  type ProvenIdentity,
  SignInError,
  type SignInMethod
} from '@postern/core/feature'
import { comparePassword } from './new-password.ts'
import { findPassword, type PasswordDeps, replaceHash } from './password-deps.ts'

/** How often a password may be replaced while it is compared. */
const maxComparisons = 3

/**
 * Compares a typed password with the one of a user, and replaces an outdated hash. A password that was replaced in the
 * meantime is compared again: a reset may have ended the sessions before this sign-in creates one.
 */
async function isPasswordOf(
  userId: string,
  typed: string,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<boolean> {
  const { context, getHasher } = deps
  let stored = await findPassword(userId, context)
  for (let count = 0; count < maxComparisons; count++) {
    const { isRight, isOutdated, password } = await comparePassword(typed, stored?.data ?? null, request, deps)
    if (!stored || !isRight) return false
    if (isOutdated && (await replaceHash(await (await getHasher()).hash(password, request), stored, context)))
      return true
    const current = await findPassword(userId, context)
    if (current?.version === stored.version) return true
    stored = current
  }
  return false
}

/** Verifies address and password. Every failure is the same, and takes as long. */
async function verify(request: FeatureRequest, deps: PasswordDeps): Promise<ProvenIdentity> {
  const { body } = request
  const email = normalizeEmailAddress(getText(body, 'email') ?? '')
  const user = email === null ? null : await deps.context.users.getUserByEmail(email)
  const isRight = await isPasswordOf(user?.id ?? '', getText(body, 'password') ?? '', request, deps)
  if (!user || !isRight)
    throw new SignInError('CredentialsSignin', 'the address or the password is wrong', { userId: user?.id ?? null })
  const remember = !deps.asksToRemember || getText(body, 'remember') !== null
  return { kind: 'identity', providerAccountId: user.id, user, amr: ['pwd'], remember }
}

/** Sign-in with address and password, by a form on the sign-in page. */
export function createSignInMethod(deps: PasswordDeps): SignInMethod {
  const plain = { autocapitalize: 'none', spellcheck: 'false' }
  return {
    id: 'password',
    name: 'Password',
    title: 'name',
    submit: 'signIn',
    labels: { email: 'email', password: 'password', ...(deps.asksToRemember && { remember: 'remember' }) },
    type: 'credentials',
    accountPolicy: 'stored',
    // The mailbox is enough for a new password.
    admitsMailboxOwner: true,
    limit: 'credentials',
    form: {
      type: 'credentials',
      identifier: 'email',
      fields: [
        {
          name: 'email',
          label: 'Email address',
          type: 'email',
          attributes: { ...plain, autocomplete: 'username', inputmode: 'email' }
        },
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          attributes: { ...plain, autocomplete: 'current-password' }
        },
        ...(deps.asksToRemember
          ? [{ name: 'remember', label: 'Stay signed in', type: 'checkbox', attributes: { value: 'on' } }]
          : [])
      ]
    },
    verify: (request) => verify(request, deps)
  }
}
