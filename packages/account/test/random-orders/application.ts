import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import { type Adapter, createPostern, type Postern, type PosternOptions } from '@postern/core'
import email from '@postern/core/providers/email'
import { origin, type Strategy } from '../password-application.ts'

/**
 * Providers: one that proves the address, one whose accounts join by it too, and one whose claims prove nothing. Each account has the
 * id of its user at the issuer.
 */
export const providers = ['acme', 'hub', 'bare'] as const
export type Provider = (typeof providers)[number]

export interface Client {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
}

interface Setup {
  readonly adapter: Adapter
  readonly strategy: Strategy
  readonly client: Client
  readonly runtime: NonNullable<PosternOptions['runtime']>
}

/** Longer than a test: sessions only end by what the model knows. */
const lifetime = 20 * 365 * 86_400

/** Milliseconds by which a process reads again what it knows of revocations, less than it asks for. */
const overlap = 55_000

/**
 * Stores note the time of a revocation by their own clock, and the clock of the test is ahead of it: a process that asks for the newest
 * ones would get none. @param now - The clock of the test
 */
function withRealTimes(adapter: Adapter, now: () => number): Adapter {
  const { listRevocations } = adapter
  if (!listRevocations) return adapter
  const toReal = (time: number): Date => new Date(Math.max(0, time - (now() - Date.now()) + overlap))
  return { ...adapter, listRevocations: (since, limit) => listRevocations(toReal(since.getTime()), limit) }
}

/** An application with every way to sign in. Processes of the test create it from the same values. */
export function createApplication({ adapter: store, strategy, client, runtime }: Setup): Postern {
  const adapter = withRealTimes(store, runtime.now ?? Date.now)
  const { issuer, clientId, clientSecret } = client
  const at = (id: Provider): PosternOptions['providers'][number] => ({
    ...{ id, name: id, type: 'oidc', issuer, clientId, clientSecret: clientSecret ?? '', assumeFresh: true },
    ...{ verifiesEmail: id !== 'bare', allowDangerousEmailAccountLinking: id === 'hub' },
    authorization: { params: { scope: 'openid email profile' } }
  })
  return createPostern({
    ...{ url: origin, secret: 'a secret of the tests, 32 characters or more', adapter, runtime },
    session: { strategy, maxAge: lifetime, updateAge: lifetime },
    rateLimit: false,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [
      password(),
      passkey(),
      email({ server: 'smtp://mail.test', from: 'mail@app.test' }),
      ...providers.map(at)
    ],
    features: [secondFactor(), accountPages()],
    callbacks: {
      session: ({ session, user, token }) => ({ ...session, id: token?.sub ?? user?.id ?? null }),
      // A mailed link signs up nobody: one to an earlier address would.
      signIn: async ({ user, account }) =>
        account?.provider !== 'email' || (await adapter.getUserByEmail?.(user.email ?? '')) !== null
    }
  })
}
