import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { redacted, textsIn } from '../errors/redact.ts'
import { thrownError } from '../hooks/authorize-sign-in.ts'
import { emptyFields } from '../http/body.ts'
import { redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import { accountIdOf } from '../model/account-id.ts'
import type { Identity } from '../model/identity.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import type { ProviderHandler, Verified } from '../provider-types/handler.ts'
import { credentialLimits } from '../provider-types/limits.ts'

/** Every text of the body, and an empty text for a field of the form that did not come as one. */
function submitted({ fields }: CredentialsProvider, { body }: AuthRequest): Readonly<Record<string, string>> {
  const texts: Record<string, string> = emptyFields()
  for (const { name } of fields) texts[name] = ''
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') texts[name] = value
  return { ...texts }
}

/** What an error of the application must not carry to the log or the address bar. */
function passwords({ fields }: CredentialsProvider, { body }: AuthRequest): readonly string[] {
  return fields.flatMap(({ name, type }) => (type === 'password' ? textsIn(body[name]) : []))
}

function isPerson(value: unknown): value is Omit<User, 'id'> & { id: string | number } {
  return typeof value === 'object' && value !== null && 'id' in value && accountIdOf(value.id) !== null
}

function toIdentity(provider: CredentialsProvider, answer: unknown): Identity {
  if (!answer) throw new AuthError('CredentialsSignin', `${provider.id}: authorize refused`)
  if (!isPerson(answer))
    throw new AuthError('CredentialsSignin', `expected providers.${provider.id}.authorize to return a user with an id`)
  const user = { ...answer, id: String(answer.id), ...(answer.email ? { email: answer.email.toLowerCase() } : {}) }
  const account = { provider: provider.id, type: 'credentials', providerAccountId: user.id } as const
  return { account, row: account, user, emailVerified: false, profile: null }
}

async function ask(provider: CredentialsProvider, request: AuthRequest, { errors }: Config): Promise<unknown> {
  const { query, body, headers, method } = request
  try {
    return await provider.authorize(submitted(provider, request), { query, body, headers, method })
  } catch (thrown) {
    const secrets = passwords(provider, request)
    throw thrownError(redacted(thrown, secrets), errors, 'CredentialsSignin', `providers.${provider.id}.authorize`)
  }
}

/** Asks the application whose name and password these are; who is wrong too often has to wait. */
async function verify(provider: CredentialsProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const limits = credentialLimits(provider, request, config)
  await limits.take()
  const identity = toIdentity(provider, await ask(provider, request, config))
  await limits.giveBack()
  const proof = {
    identity,
    cookies: noCookies,
    callbackUrl: null,
    startedBy: undefined,
    once: null,
    question: { credentials: request.body }
  }
  return { kind: 'proof', proof }
}

/** The application checks name and password; a form cannot be started, it is posted. */
export const credentials: ProviderHandler<'credentials'> = {
  methods: ['POST'],
  start: async (_provider, _request, { base }) => redirect(`${base}/signin`),
  verify
}
