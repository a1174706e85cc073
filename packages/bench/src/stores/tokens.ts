import { memoryAdapter } from '@postern/adapters/memory'
import { type AdapterSession, createPostern } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { secret } from '../subjects/subject.ts'

/** A session token of Postern. */
export interface IssuedToken {
  /** What the visitor's cookie holds. */
  readonly token: string
  /** What the store holds of it. */
  readonly stored: string
}

const origin = 'http://127.0.0.1'
export const cookieName = 'next-auth.session-token'

/** Makes session tokens as the servers do, some microseconds for each; they are kept nowhere. */
export function tokenIssuer(): () => Promise<IssuedToken> {
  let stored = ''
  const { putSessionRecord: _, ...store } = memoryAdapter()
  const auth = createPostern({
    url: origin,
    secret,
    adapter: {
      ...store,
      getUser: (id: string) => ({ id, name: null, email: 'nobody@example.com', emailVerified: null }),
      createSession: (session: AdapterSession) => {
        stored = session.sessionToken
        return session
      }
    },
    session: { strategy: 'database' },
    providers: [credentials({ id: 'people', credentials: {}, authorize: () => null })]
  })
  return async () => {
    const cookies = await auth.openSession({ id: 'nobody' }, origin)
    return { token: cookies.get(cookieName)?.value ?? '', stored }
  }
}
