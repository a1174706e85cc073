import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { allTextsIn } from '../errors/redact.ts'
import { thrownError } from '../hooks/authorize-sign-in.ts'
import { redirect } from '../http/action-result.ts'
import { emptyFields } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import { parseAccountId } from '../model/account-id.ts'
import { authenticatedNow } from '../model/authentication.ts'
import type { Identity } from '../model/identity.ts'
import { isObject } from '../model/json-object.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import { type ProviderHandler, plainProof, type Verified } from './handler.ts'
import { credentialLimits } from './rate-limits.ts'

/** Every string in the body, with an empty string for each missing or invalid field of the form. */
function submitted({ fields }: CredentialsProvider, { body }: AuthRequest): Readonly<Record<string, string>> {
  const texts: Record<string, string> = emptyFields()
  for (const { name } of fields) texts[name] = ''
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') texts[name] = value
  return { ...texts }
}

/** The passwords in the body, which an application's error must not carry to the log or the URL. */
function passwords({ fields }: CredentialsProvider, { body }: AuthRequest): readonly string[] {
  return fields.flatMap(({ name, type }) => (type === 'password' ? allTextsIn(body[name]) : []))
}

/** The body without passwords and the CSRF token. */
function withoutSecrets({ fields }: CredentialsProvider, { body }: AuthRequest): Readonly<Record<string, unknown>> {
  const isSecret = (name: string): boolean =>
    name === 'csrfToken' || fields.some((field) => field.name === name && field.type === 'password')
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isSecret(name)))
}

function isPerson(value: unknown): value is Omit<User, 'id'> & { id: string | number } {
  return isObject(value) && parseAccountId(value['id']) !== null
}

function toIdentity(provider: CredentialsProvider, result: unknown): Identity {
  if (!result) throw new AuthError('CredentialsSignin', `${provider.id}: authorize refused`)
  if (!isPerson(result))
    throw new AuthError(
      'CredentialsSignin',
      `expected providers.${provider.id}.authorize to return a user with an id: text, or a safe integer`
    )
  const user = { ...result, id: String(result.id), ...(result.email ? { email: result.email.toLowerCase() } : {}) }
  const account = { provider: provider.id, type: 'credentials', providerAccountId: user.id } as const
  return { account, row: account, user, emailVerified: false, profile: null }
}

async function ask(provider: CredentialsProvider, request: AuthRequest, { errors }: Config): Promise<unknown> {
  const { query, body, headers, method } = request
  try {
    return await provider.authorize(submitted(provider, request), { query, body, headers, method })
  } catch (thrown) {
    const callee = `providers.${provider.id}.authorize`
    const secrets = passwords(provider, request)
    throw thrownError(thrown, errors, { fallback: 'CredentialsSignin', callee, secrets })
  }
}

/** Calls the application's `authorize`, and rate-limits wrong credentials. */
async function verify(provider: CredentialsProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const submittedAt = config.runtime.now()
  const limits = credentialLimits(provider, request, config)
  const result = await limits.attempt(() => ask(provider, request, config))
  const identity = toIdentity(provider, result)
  await limits.accept(identity)
  const proof = {
    ...plainProof,
    identity,
    authentication: authenticatedNow(provider.id, provider.amr, submittedAt),
    names: limits.names,
    submittedAt,
    callbackInput: { credentials: request.body },
    storedInput: { credentials: withoutSecrets(provider, request) }
  }
  return { kind: 'proof', proof }
}

/** The application verifies the credentials. The form is posted to the callback, so there is no start. */
export const credentials: ProviderHandler<'credentials'> = {
  start: async (_provider, _request, { base }) => redirect(`${base}/signin`),
  verify
}
