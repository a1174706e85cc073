import {
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  type ProvenIdentity,
  SignInError,
  type SignInMethod
} from '@postern/core/feature'
import { comparePassword } from './new-password.ts'
import { findPassword, type PasswordSetup, replaceHash } from './password-setup.ts'

/**
 * Compares a typed password with the one of a user, and replaces an outdated hash. If the password is changed in the meantime, the
 * sign-in is refused, as its user has another version.
 */
async function isPasswordOf(
  userId: string,
  typed: string,
  request: FeatureRequest,
  setup: PasswordSetup
): Promise<boolean> {
  const { context, getHasher } = setup
  const stored = await findPassword(userId, context)
  const { isRight, isOutdated, password } = await comparePassword(typed, stored?.data ?? null, request, setup)
  if (!stored || !isRight) return false
  if (isOutdated) await replaceHash(await (await getHasher()).hash(password, request), stored, context)
  return true
}

/** Verifies address and password. Every failure is the same, and takes as long. */
async function verify(request: FeatureRequest, setup: PasswordSetup): Promise<ProvenIdentity> {
  const { body } = request
  const email = normalizeEmailAddress(getText(body, 'email') ?? '')
  const found = email === null ? null : await setup.context.findUser({ email })
  const userId = found?.user.id ?? null
  const isRight = await isPasswordOf(userId ?? '', getText(body, 'password') ?? '', request, setup)
  if (!found || !isRight) throw new SignInError('CredentialsSignin', 'the address or the password is wrong', { userId })
  const { user } = found
  const remember = !setup.asksToRemember || getText(body, 'remember') !== null
  return { kind: 'identity', providerAccountId: user.id, user, found, amr: ['pwd'], remember }
}

/** Sign-in with address and password, by a form on the sign-in page. */
export function createSignInMethod(setup: PasswordSetup): SignInMethod {
  const plain = { autocapitalize: 'none', spellcheck: 'false' }
  return {
    id: 'password',
    name: 'Password',
    title: 'name',
    submit: 'signIn',
    labels: { email: 'email', password: 'password', ...(setup.asksToRemember && { remember: 'remember' }) },
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
        ...(setup.asksToRemember
          ? [{ name: 'remember', label: 'Stay signed in', type: 'checkbox', attributes: { value: 'on' } }]
          : [])
      ]
    },
    verify: (request) => verify(request, setup)
  }
}
