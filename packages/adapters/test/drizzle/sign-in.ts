import type { Adapter, AdapterCall } from '@postern/core'
import { ada, adaToken, github } from './people.ts'

const expires = new Date(4102444799999)

/** The record of Ada's session. */
export const adaRecord = {
  id: 'r1',
  userId: 'ada',
  sessionToken: 'h1.1',
  provider: 'github',
  providerSessionId: 'sid',
  userAgent: 'Mozilla/5.0',
  address: '192.0.2.1',
  data: null,
  createdAt: new Date(1700000000123),
  lastSeen: new Date(1700000000456),
  expires
} as const

/** Ada signs in for the first time, by a link that was sent to her. */
export const firstSignIn: readonly AdapterCall[] = [
  { method: 'useVerificationToken', args: [adaToken] },
  { method: 'createUser', args: [{ id: 'ada', ...ada }] },
  { method: 'linkAccount', args: [{ ...github, userId: 'ada' }] },
  { method: 'createSession', args: [{ sessionToken: 'h1.1', userId: 'ada', expires }, adaRecord] }
]

/** The stored parts of Ada's sign-in: all, only the unused link, or the names of the parts. */
export async function listTables(adapter: Required<Adapter>): Promise<string> {
  const parts = {
    link: await adapter.getVerificationToken(adaToken),
    user: await adapter.getUserByEmail(ada.email),
    account: await adapter.getUserByAccount(github),
    session: await adapter.getSessionAndUser('h1.1'),
    record: (await adapter.getSessionRecords({ userId: 'ada' }))[0]
  }
  const found = Object.entries(parts).flatMap(([name, value]) => (value ? [name] : []))
  if (found.join() === 'link') return 'nothing'
  return found.join() === 'user,account,session,record' ? 'everything' : found.join()
}
