import {
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  type ProvenIdentity,
  SignInError,
  type SignInMethod
} from '@postern/core/feature'
import { comparePassword } from './new-password.ts'
import { findPassword, type PasswordDeps, savePassword } from './password-deps.ts'

/** Verifies address and password. Every failure is the same, and takes as long. */
async function verify({ body }: FeatureRequest, deps: PasswordDeps): Promise<ProvenIdentity> {
  const { context, getHasher } = deps
  const email = normalizeEmailAddress(getText(body, 'email') ?? '')
  const user = email === null ? null : await context.users.getUserByEmail(email)
  const stored = await findPassword(user?.id ?? '', context)
  const { isRight, isOutdated, password } = await comparePassword(
    getText(body, 'password') ?? '',
    stored?.data ?? null,
    deps
  )
  if (!user || !stored || !isRight) throw new SignInError('CredentialsSignin', 'the address or the password is wrong')
  if (isOutdated) await savePassword(user.id, await (await getHasher()).hash(password), stored, context)
  return { kind: 'identity', providerAccountId: user.id, user, amr: ['pwd'] }
}

/** Sign-in with address and password, by a form on the sign-in page. */
export function createSignInMethod(deps: PasswordDeps): SignInMethod {
  const plain = { autocapitalize: 'none', spellcheck: 'false' }
  return {
    id: 'password',
    name: 'Password',
    title: 'name',
    submit: 'signIn',
    labels: { email: 'email', password: 'password' },
    type: 'credentials',
    accountPolicy: 'stored',
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
        }
      ]
    },
    verify: (request) => verify(request, deps)
  }
}
