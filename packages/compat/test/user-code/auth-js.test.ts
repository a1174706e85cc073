// What Auth.js v5 gives its clients and callbacks.
import { CredentialsSignin } from '@auth/core/errors'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Session, User } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import t from 'tap'
import { origin, startPostern } from '../postern.ts'

const adapter = memoryAdapter()
const ada = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: new Date(0) })

class AccountLocked extends CredentialsSignin {
  override code = 'locked'
}

const people = credentials({
  credentials: { username: {} },
  authorize: ({ username }) => {
    if (username === 'ada') return ada
    throw username === 'eve' ? new AccountLocked() : new CredentialsSignin()
  }
})

const form = '/api/auth/callback/credentials'

t.test('the code of a CredentialsSignin is in the URL', async (t) => {
  const { browser, log } = await startPostern(t, { providers: [people] })
  const client = browser()
  for (const [username, code] of [
    ['eve', 'locked'],
    ['bob', 'credentials']
  ] as const) {
    const refused = await client.submit(form, { username }, { headers: { 'x-auth-return-redirect': '1' } })
    const { searchParams } = new URL(refused.json<{ url: string }>().url)
    t.match(Object.fromEntries(searchParams), { error: 'CredentialsSignin', code })
  }
  t.same(
    log.map(({ level, code }) => [level, code]),
    Array(2).fill(['warn', 'CREDENTIALS_SIGNIN_ERROR'])
  )
})

t.test('GET /session without a session', async (t) => {
  for (const [format, expected] of [
    ['auth-js', 'null'],
    ['next-auth', '{}']
  ] as const) {
    const { browser } = await startPostern(t, { providers: [people], session: { format } })
    t.equal((await browser().open('/api/auth/session')).body, expected)
  }
})

t.test('the session callback receives the stored session', async (t) => {
  const seen: { session: Session; user: User | undefined }[] = []
  const { browser } = await startPostern(t, {
    adapter,
    providers: [people],
    session: { strategy: 'database', format: 'auth-js' },
    callbacks: {
      session: ({ session, user }) => {
        seen.push({ session, user })
        return session
      }
    }
  })
  const client = browser()
  t.equal((await client.submit(form, { username: 'ada' })).location, origin)
  const response = await client.open('/api/auth/session')
  const [stored] = await adapter.listSessions(ada.id)
  const { session, user } = seen[0] ?? {}
  t.same(user, ada)
  t.match(session, { userId: ada.id, user: ada, expires: stored?.expires })
  t.equal(Reflect.get(session ?? {}, 'sessionToken'), stored?.sessionToken)
  t.notOk(response.body.includes(stored?.sessionToken ?? ''), 'the token is not sent')
  t.same(response.json(), JSON.parse(JSON.stringify(session)))
  t.type(response.json<{ expires: unknown }>().expires, 'string')
})
