import { randomUUID } from 'node:crypto'
import type { SessionRecord } from '@postern/core'
import { type Case, type Complete, type ContractTest, has, it, type Settings } from './case.ts'
import { hasFields, isNone, isRefused, newAccount, newRecord, newSession, newToken, newUser } from './data.ts'

const texts: readonly [title: string, text: string][] = [
  ['quotes', `'"\`’ or '1'='1' --; drop table "user"`],
  ['backslashes', String.raw`\ \\ \' \0 \n \u0000 C:\\`],
  ['patterns', '% _ * ? [a-z] ^ $ {}'],
  ['paths of JSON and templates', `$.a[0]."b" ->> '$' {{x}} \${x} :name @name ?1 $1`],
  ['white space', ' \t\r\n a \n '],
  ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈 𝒜'],
  ['other scripts', 'Ωmega Привет 你好 مرحبا שלום'],
  ['combining marks', 'é e\u0301 ﬁ Ⅳ'],
  ['invisible characters', '\u200b\u202e\ufeff\u0001\u007f\u0085\u2028'],
  ['10 kB', 'Länge '.repeat(1463)]
]

const nul = 'before\0after'

/** Pairs of strings that some databases treat as equal. */
export const twins: readonly [title: string, one: string, other: string][] = [
  ['case', 'ada', 'Ada'],
  ['accent', 'jose', 'josé'],
  ['the way an accent is written', 'jos\u00e9', 'jose\u0301'],
  ['a space at the end', 'ada', 'ada '],
  ['a space at the beginning', 'ada', ' ada'],
  ['ß and ss', 'strasse', 'straße'],
  ['width', 'ada', 'ａｄａ'],
  ['an invisible character', 'ada', 'ad\u00ada'],
  ['zeros in front', '12', '012'],
  ['the way a number is written', '1e1', '10'],
  ['digits beyond 2^53', '9007199254740993', '9007199254740992']
]

/** Writes a string to every column that accepts one, and reads it back. */
async function keep(t: ContractTest, adapter: Complete, text: string, { keyLength }: Settings): Promise<void> {
  const [prefix, long] = [randomUUID(), `${randomUUID()}${text}`]
  const isTooLong = long.length > keyLength
  if (isTooLong) await refuse(t, adapter, long)
  const unique = isTooLong ? prefix : long
  const { id } = await adapter.createUser(newUser({ name: text, email: unique, image: text }))
  hasFields(t, await adapter.getUserByEmail(unique), { id, email: unique, name: text, image: text })
  await adapter.updateUser({ id, name: `${text}${text}` })
  t.equal((await adapter.getUser(id))?.name, `${text}${text}`, 'the name that it is changed to')

  const account = { ...newAccount({ providerAccountId: unique, access_token: text }), userId: id }
  await adapter.linkAccount(account)
  t.equal((await adapter.getUserByAccount(account))?.id, id, 'found by the account')
  if (has(adapter, 'getAccounts')) {
    const [stored] = await adapter.getAccounts(id)
    hasFields(t, stored, { providerAccountId: unique, access_token: text })
  }
  await adapter.createSession(newSession(id, { sessionToken: unique }))
  t.equal((await adapter.getSessionAndUser(unique))?.session.sessionToken, unique, 'the session')
  const token = isTooLong ? prefix : text
  await adapter.createVerificationToken(newToken({ identifier: unique, token }))
  const pair = { identifier: unique, token }
  hasFields(t, await adapter.useVerificationToken(pair), pair)
  await keepRecord(t, adapter, newRecord(id, { userAgent: text, address: text, providerSessionId: unique }))
}

async function keepRecord(t: ContractTest, adapter: Complete, record: SessionRecord): Promise<void> {
  if (!has(adapter, 'putSessionRecord', 'getSessionRecords')) return
  await adapter.putSessionRecord(record)
  const [byId] = await adapter.getSessionRecords({ id: record.id })
  hasFields(t, byId, record)
  const { provider, providerSessionId } = record
  if (provider === null || providerSessionId === null) return
  const [bySession] = await adapter.getSessionRecords({ provider, providerSessionId })
  t.equal(bySession?.id, record.id, 'the record, by the provider’s session')
}

/** A key that is too long must not be truncated: two users could get the same key. */
async function refuse(t: ContractTest, adapter: Complete, key: string): Promise<void> {
  const { id } = await adapter.createUser(newUser())
  const account = { ...newAccount({ providerAccountId: key }), userId: id }
  await isRefused(t, () => adapter.createUser(newUser({ email: key })), 'an address is refused')
  await isRefused(t, () => adapter.linkAccount(account), 'an account is refused')
  await isRefused(t, () => adapter.createSession(newSession(id, { sessionToken: key })), 'a session is refused')
  await isRefused(t, () => adapter.createVerificationToken(newToken({ identifier: key })), 'an identifier is refused')
  await isRefused(t, () => adapter.createVerificationToken(newToken({ token: key })), 'a one-time token is refused')
  isNone(t, await adapter.getUserByEmail(key), 'no user has the address')
  isNone(t, await adapter.getUserByAccount(account), 'no user has the account')
  isNone(t, await adapter.getSessionAndUser(key), 'no user has the session')
}

/** A token that cannot be stored is rejected with its account, or omitted: it must not be truncated. */
async function testWithoutTokens(t: ContractTest, adapter: Complete): Promise<void> {
  const { id } = await adapter.createUser(newUser())
  for (const field of ['access_token', 'refresh_token', 'scope', 'session_state'] as const) {
    const account = { ...newAccount(), userId: id, [field]: nul }
    const [linked] = await Promise.allSettled([Promise.resolve().then(() => adapter.linkAccount(account))])
    if (linked.status === 'rejected')
      isNone(t, await adapter.getUserByAccount(account), `no user has the account whose ${field} has NUL`)
    else if (has(adapter, 'getAccounts')) {
      const rows = await adapter.getAccounts(id)
      const row = rows.find(({ providerAccountId }) => providerAccountId === account.providerAccountId)
      isNone(t, row?.[field] ?? null, `${field} with NUL is left out, not cut`)
    }
  }
}

/** Strings that are easily altered, confused or interpreted as code. */
export const oddTexts: readonly Case[] = [
  ...texts.map(([title, text]) =>
    it(`${title} are kept to the byte`, (t, adapter, settings) => keep(t, adapter, text, settings))
  ),

  it('NUL is kept to the byte, or refused', async (t, adapter, settings) => {
    if (settings.nul === 'kept') return keep(t, adapter, nul, settings)
    await isRefused(t, () => adapter.createUser(newUser({ name: nul })), 'a text with NUL is refused, not cut')
    await testWithoutTokens(t, adapter)
  })
]

/** Different strings are not equal, whatever the database's collation. */
export const twinTexts: readonly Case[] = twins.map(([title, one, other]) =>
  it(`${title} makes a difference`, async (t, adapter) => {
    const prefix = randomUUID()
    const [first, second] = [`${prefix}-${one}`, `${prefix}-${other}`]
    const [ada, bob] = [await adapter.createUser(newUser({ email: first })), await adapter.createUser(newUser())]
    if (first.toLowerCase() !== second.toLowerCase()) {
      isNone(t, await adapter.getUserByEmail(second), 'an address is not its twin')
    }
    const account = { ...newAccount({ providerAccountId: first }), userId: ada.id }
    const twin = { ...account, providerAccountId: second, userId: bob.id }
    await adapter.linkAccount(account)
    isNone(t, await adapter.getUserByAccount(twin), 'an account is not its twin')
    await adapter.linkAccount(twin)
    t.equal((await adapter.getUserByAccount(account))?.id, ada.id, 'each account has its owner')
    t.equal((await adapter.getUserByAccount(twin))?.id, bob.id, 'each account has its owner')

    await adapter.createSession(newSession(ada.id, { sessionToken: first }))
    isNone(t, await adapter.getSessionAndUser(second), 'a session is not its twin')
    const tokens = [newToken({ identifier: first }), newToken({ token: first })]
    for (const token of tokens) await adapter.createVerificationToken(token)
    for (const { identifier, token } of tokens) {
      const pair = { identifier: identifier === first ? second : identifier, token: token === first ? second : token }
      isNone(t, await adapter.useVerificationToken(pair), 'a one-time token is not its twin')
      t.ok(await adapter.useVerificationToken({ identifier, token }), 'and was not used up by it')
    }
  })
)
