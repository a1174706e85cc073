import { hash } from 'node:crypto'
import { tokenIssuer } from './tokens.ts'

/** What a column holds. */
export type Value = string | number | Date | null

/** The tables of a crowd, and the columns of each with their types in PostgreSQL. */
export const tables = {
  user: { id: 'text', name: 'text', email: 'text', emailVerified: 'timestamp', image: 'text' },
  account: {
    userId: 'text',
    type: 'text',
    provider: 'text',
    providerAccountId: 'text',
    refresh_token: 'text',
    access_token: 'text',
    expires_at: 'int',
    token_type: 'text',
    scope: 'text',
    id_token: 'text',
    session_state: 'text'
  },
  session: { sessionToken: 'text', userId: 'text', expires: 'timestamp' },
  postern_session: {
    id: 'text',
    userId: 'text',
    sessionToken: 'text',
    provider: 'text',
    providerSessionId: 'text',
    userAgent: 'text',
    address: 'text',
    createdAt: 'timestamp',
    lastSeen: 'timestamp',
    expires: 'timestamp'
  }
} as const

export type TableName = keyof typeof tables
export const tableNames: readonly TableName[] = ['user', 'account', 'session', 'postern_session']

/** The row of one person in each table. */
export type Person = Readonly<Record<TableName, readonly Value[]>>

/** Everybody who has signed in at the provider once: user, account, session and its record. */
export interface Crowd {
  readonly users: number
  /** Of each person's session, by number, as far as they have been written. */
  readonly tokens: readonly string[]
  /** Some thousand people at a time. */
  batches(): AsyncIterable<readonly Person[]>
}

const batch = 5000
const month = 30 * 24 * 60 * 60 * 1000
/** The ID Token of the provider is as long. */
const idTokenLength = 900

/** Keys are spread over the whole of an index, and can be made again from a number. */
function spread(what: string, number: number): string {
  return hash('sha256', `${what} ${number}`).slice(0, 32)
}

export function getUserId(number: number): string {
  return spread('user', number)
}

/** What the provider calls a person. */
export function getSubject(number: number): string {
  return spread('subject', number)
}

export function getName(number: number): string {
  return `Person ${number}`
}

function getRows(number: number, sessionToken: string): Person {
  const [id, sub, now] = [getUserId(number), getSubject(number), new Date()]
  const expires = new Date(now.getTime() + month)
  const idToken = spread('ID Token', number).repeat(idTokenLength / 32)
  const tokens = [null, spread('access token', number), 1, 'bearer', 'openid profile email', idToken, null]
  return {
    user: [id, getName(number), `${sub}@example.com`, now, null],
    account: [id, 'oidc', 'demo', sub, ...tokens],
    session: [sessionToken, id, expires],
    postern_session: [spread('record', number), id, sessionToken, 'demo', null, 'bench', '127.0.0.1', now, now, expires]
  }
}

export function createCrowd(users: number): Crowd {
  const issue = tokenIssuer()
  const tokens: string[] = []
  const next = async (): Promise<Person> => {
    const { token, stored } = await issue()
    tokens.push(token)
    return getRows(tokens.length - 1, stored)
  }
  return {
    users,
    tokens,
    batches: async function* () {
      while (tokens.length < users) {
        const people: Person[] = []
        while (people.length < batch && tokens.length < users) people.push(await next())
        yield people
      }
    }
  }
}
