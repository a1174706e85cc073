import type { AdapterCall } from '@postern/core'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../../src/contract/data.ts'
import { ada, adaToken, github } from './people.ts'
import { getCode, openThroughProxy, type ServerUnderTest } from './server-under-test.ts'
import { firstSignIn, listTables } from './sign-in.ts'
import { testLosses } from './user-version-losses.ts'

/** The numbers of responses that a server loses, which differ with its statements. */
export interface Losses {
  /** Those of a first sign-in that are lost one after another. */
  readonly firstSignIn: readonly number[]
  /** The commit of a transaction of two calls. */
  readonly commit: number
  /** The end of the deletion of a ticket. */
  readonly consumed: number
}

/** Declares the tests of a server whose response is lost: what it was asked for takes effect once, or not at all. */
export async function testLostResponses<D extends { readonly url: string }>(
  t: Test,
  server: ServerUnderTest<D>,
  losses: Losses
): Promise<void> {
  await t.test('a transaction takes effect once, whichever response is lost', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    for (const which of losses.firstSignIn) {
      await adapter.createVerificationToken(adaToken)
      proxy.loseAnswer(which)
      t.equal(await adapter.transact(firstSignIn), true, `answer ${which}`)
      t.equal(await listTables(adapter), 'everything', `answer ${which}`)
      await adapter.deleteUser('ada')
    }
  })

  await t.test('a link with an unknown result is an error, and changes may be retried', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] }
    ]
    proxy.loseAnswer(losses.commit)
    t.type(await getCode(adapter.transact(calls)), 'string')
    t.equal(await adapter.getVerificationToken(adaToken), null)
    t.equal(await adapter.transact(calls), false, 'never twice')
    const changes: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: 'ada', name: 'Countess' }] },
      { method: 'deleteSessions', args: ['ada'] }
    ]
    proxy.loseAnswer(losses.commit)
    t.equal(await adapter.transact(changes), true)
    t.equal((await adapter.getUser('ada'))?.name, 'Countess')
  })

  await t.test('a change of what a user can sign in with takes effect once, whichever response is lost', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    await adapter.ready()
    await testLosses(t, adapter, proxy)
  })

  await t.test('factors and events whose response is lost', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    const [factor, event] = [newFactor('ada'), newEvent({ userId: 'ada' })]
    await adapter.ready()
    proxy.loseAnswer()
    await adapter.createFactor(factor)
    t.strictSame(await adapter.getFactor(factor), factor, 'it was created once')
    const next = { ...factor, data: 'v2' }
    proxy.loseAnswer()
    t.equal(await adapter.updateFactor(next, 1), true, 'the data identifies the caller')
    proxy.loseAnswer()
    t.equal(await adapter.updateFactor(factor, 1), false, 'an update that was not to be made')
    t.strictSame(await adapter.getFactor(factor), { ...next, version: 2 }, 'it was updated once')
    proxy.loseAnswer()
    t.type(await getCode(Promise.resolve(adapter.deleteFactor(factor))), 'string', 'it is unknown who deleted it')
    t.equal(await adapter.deleteFactor(factor), false, 'never twice')
    proxy.loseAnswer()
    await adapter.addEvents([event, newEvent({ userId: 'ada' })])
    t.equal((await adapter.listEvents({ userId: 'ada', limit: 10 })).length, 2, 'each was stored once')
  })

  await t.test('tickets and evidence whose response is lost', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    const about = { kind: 'reset', userId: null, tries: 0, expires: new Date(4102444799999), dueAt: null }
    const ticket = { ...about, id: '1', data: 'v1' }
    await adapter.ready()
    proxy.loseAnswer()
    await adapter.createTicket(ticket)
    t.strictSame(await adapter.readTicket(ticket), ticket, 'it was created once')
    proxy.loseAnswer()
    const refused = { name: 'DuplicateError' }
    const empty = { ...about, id: '2', data: '' }
    await t.rejects(async () => adapter.createTicket(empty), refused, 'empty data does not identify the caller')
    proxy.loseAnswer()
    t.equal(await adapter.countTry(ticket), 2, 'an attempt is counted twice rather than not at all')
    proxy.loseAnswer(losses.consumed)
    t.type(await getCode(Promise.resolve(adapter.consumeTicket(ticket))), 'string', 'it is unknown who consumed it')
    t.equal(await adapter.consumeTicket(ticket), null, 'never twice')
    const account = { provider: 'github', providerAccountId: '1', userId: 'ada' }
    const evidence = { ...account, email: ada.email, verifiedAt: new Date(0) }
    proxy.loseAnswer()
    await adapter.putAccountEvidence(evidence)
    proxy.loseAnswer()
    await adapter.putAccountEvidence({ ...evidence, email: 'countess@example.com' })
    t.strictSame(await adapter.getAccountEvidence('ada'), [{ ...evidence, email: 'countess@example.com' }])
  })

  await t.test('a refresh token whose response is lost was written', async (t) => {
    const { adapter, proxy } = await openThroughProxy(t, server)
    await adapter.createUserWithAccount(ada, { ...github, refresh_token: 'first' })
    proxy.loseAnswer()
    const next = { ...github, refresh_token: 'second' }
    t.match(await adapter.updateAccount(next, { refresh_token: 'first' }), { refresh_token: 'second' })
    proxy.loseAnswer()
    t.equal(await adapter.updateAccount({ ...github, refresh_token: 'third' }, { refresh_token: 'first' }), false)
  })
}
