import t from 'tap'
import type { AccountRules } from '../../src/accounts/account-rules.ts'
import { isSuspended, resume, suspend } from '../../src/accounts/suspension.ts'
import { deleteUser, type RemovalActor, type RemovalOptions, unlink } from '../../src/accounts/unlink-account.ts'
import type { Adapter, AdapterCall } from '../../src/adapter/adapter.ts'
import { DatabaseSessionDirectory } from '../../src/sessions/database-session-directory.ts'
import { SessionManager } from '../../src/sessions/session-manager.ts'
import { createActing, nothing, type Opened, open, raise, tokensOf, withoutTransactions } from './open-store.ts'

const toKey = (id: string) => ({ provider: 'demo', providerAccountId: id })

type Prepared = ReturnType<typeof prepare>

function prepare(wrap?: (adapter: Adapter) => Adapter, ids: readonly string[] = ['1', '2']) {
  const opened = open(wrap)
  const { store, userVersions, adapter, session, now, features } = opened
  for (const id of ids) adapter.linkAccount?.({ ...toKey(id), type: 'oidc', userId: 'ada' })
  for (const token of ['own', 'other']) adapter.createSession?.(session(token))
  const sessions = new DatabaseSessionDirectory(store, now)
  const sessionManager = new SessionManager(sessions, null, userVersions)
  const traits = { accountPolicy: 'link', admitsMailboxOwner: false }
  const rules: AccountRules = {
    ...{ signedIn: 'confirm', concealUsers: false, linkFreshWithin: null, isDatabaseSession: true, now, features },
    ...{ hasCallbacks: false, hasUnstoredUsers: false, missingToReclaim: [], reclaimUser: null },
    providers: new Map([['demo', { id: 'demo', traits }]]) as unknown as AccountRules['providers']
  }
  return { ...opened, sessionManager, rules }
}

const application: RemovalActor = { request: null, acting: null }

const remove = (
  id: string,
  { sessionManager, rules }: Prepared,
  options: RemovalOptions & Partial<RemovalActor> = {}
) => unlink({ userId: 'ada', ...toKey(id) }, { ...application, ...options }, sessionManager, rules)

const accountsOf = ({ rows }: Opened): readonly string[] =>
  [...rows.accounts.values()].map(({ providerAccountId }) => providerAccountId)

for (const [name, wrap] of [
  ['with transactions', (adapter: Adapter) => adapter],
  ['without transactions', withoutTransactions]
] as const) {
  t.test(
    `unlink-1: ${name}: a removed account ends the other sessions, and the own one gets a new token`,
    async (t) => {
      const opened = prepare(wrap)
      const acting = createActing(opened, 'own')
      const { account } = await remove('1', opened, { acting })
      t.match(account, toKey('1'))
      t.strictSame(accountsOf(opened), ['2'])
      t.strictSame(tokensOf(opened), ["own'"])
      t.strictSame(
        opened.rows.events.map(({ type }) => type),
        ['unlink', 'session-end']
      )
      await t.rejects(remove('1', opened), { code: 'UNKNOWN_ACCOUNT' })
    }
  )

  t.test(`unlink-2: ${name}: of two removals at once, one leaves the last way in`, async (t) => {
    const opened = prepare(wrap)
    const results = await Promise.allSettled(['1', '2'].map((id) => remove(id, opened)))
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'removed'))
    t.strictSame(codes.toSorted(), ['LAST_WAY_IN', 'removed'])
    t.equal(accountsOf(opened).length, 1)
  })

  t.test(`unlink-2: ${name}: the last way in stays, and so do the sessions`, async (t) => {
    const opened = prepare(wrap, ['1'])
    await t.rejects(remove('1', opened), { code: 'LAST_WAY_IN' })
    t.strictSame(accountsOf(opened), ['1'])
    t.strictSame(tokensOf(opened), ['other', 'own'])
    t.equal(opened.getRow(), undefined)
  })

  t.test(`${name}: an application may keep the sessions`, async (t) => {
    const opened = prepare(wrap)
    await remove('1', opened, { sessions: 'keep' })
    t.strictSame(tokensOf(opened), ['other', 'own'])
    t.match(opened.getRow(), { sessionsFrom: 0 }, 'the change is one of the version')
  })

  t.test(`overlap-4: ${name}: a session that has ended removes nothing`, async (t) => {
    const opened = prepare(wrap)
    const acting = createActing(opened, 'own')
    await opened.userVersions.endSessions('ada')
    await t.rejects(remove('1', opened, { acting }), { code: 'SessionRequired' })
    await t.rejects(deleteUser('ada', { ...application, acting }, opened.sessionManager, opened.rules), {
      code: 'SessionRequired'
    })
    t.strictSame(accountsOf(opened), ['1', '2'])
  })

  t.test(`${name}: a suspended user has no session, and changes nothing until they are resumed`, async (t) => {
    const opened = prepare(wrap)
    const { sessionManager, userVersions, store, getRow } = opened
    for (let count = 0; count < 2; count += 1) await suspend('ada', sessionManager, opened.rules)
    t.strictSame(tokensOf(opened), [])
    t.ok(await isSuspended('ada', store))
    const acting = { ...createActing(opened, 'gone'), isAllowed: async () => true }
    await t.rejects(userVersions.change({ ...raise, acting }, nothing), { code: 'UserSuspended' })
    for (let count = 0; count < 2; count += 1) await resume('ada', sessionManager, opened.rules)
    t.notOk(await isSuspended('ada', store))
    t.ok((getRow()?.sessionsFrom ?? 0) > 0, 'nothing comes back')
    await userVersions.change({ ...raise, acting, keepsToken: true }, nothing)
    const changes = opened.rows.events.map(({ type }) => type).filter((type) => type !== 'session-end')
    t.strictSame(changes, ['suspend', 'resume'])
  })

  t.test(`suspend-2: ${name}: what waits for a user is deleted with a suspension, and what lasts stays`, async (t) => {
    const { sessionManager, rules, adapter, rows } = prepare(wrap)
    const ticket = { id: 'one', userId: 'ada', data: '', tries: 0, expires: new Date('2031-01-01') }
    for (const kind of ['invitation', 'deletion']) await adapter.createTicket?.({ ...ticket, kind })
    const lastingTickets = async () => [{ kind: 'deletion', id: 'one' }]
    await suspend('ada', sessionManager, { ...rules, features: { ...rules.features, lastingTickets } })
    t.strictSame(
      [...rows.tickets.values()].map(({ kind }) => kind),
      ['deletion']
    )
  })

  t.test(`suspend-1: ${name}: a deleted user leaves a row by which everything from before has ended`, async (t) => {
    const opened = prepare(wrap)
    const { sessionManager, getRow, rows } = opened
    await suspend('ada', sessionManager, opened.rules)
    const { version = 0 } = getRow() ?? {}
    await deleteUser('ada', application, opened.sessionManager, opened.rules)
    t.equal(rows.users.size, 0)
    t.match(getRow(), { suspendedAt: null }, 'a later user with this id is not suspended')
    t.ok((getRow()?.sessionsFrom ?? 0) > version)
    t.equal(rows.events.at(-1)?.type, 'delete')
  })
}

t.test('the user, the row and the record of a deletion change in one transaction', async (t) => {
  const transactions: (readonly AdapterCall[])[] = []
  const { sessionManager, rules } = prepare(({ transact, ...adapter }) => ({
    ...adapter,
    transact: (calls) => {
      transactions.push(calls)
      return transact?.(calls) ?? false
    }
  }))
  await deleteUser('ada', application, sessionManager, rules)
  t.match(transactions.at(-1), [
    { method: 'advanceUser', args: [{ userId: 'ada', isGone: true, suspendedAt: null }] },
    { method: 'deleteUser', args: ['ada'] },
    { method: 'addEvents', args: [[{ type: 'delete' }]] },
    { method: 'deleteSessions' }
  ])
})

t.test('a transaction that deletes a user is refused as the deletion is', async (t) => {
  const refused = Object.assign(new Error('a constraint'), { code: '23503' })
  const { sessionManager, rules, rows } = prepare(({ transact, ...adapter }) => ({
    ...adapter,
    transact: (calls) => {
      if (calls.some(({ method }) => method === 'deleteUser')) throw refused
      return transact?.(calls) ?? false
    }
  }))
  await t.rejects(deleteUser('ada', application, sessionManager, rules), { code: 'UserReferenced' })
  t.equal(rows.users.size, 1, 'the user is left')
})
