import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, Ticket } from '@postern/core'
import { createClock } from '@postern/testkit'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { origin, secret } from './start.ts'

const expiresIn = 3600

/** A registration over a store; what it writes to tickets is kept. */
async function open(t: Test, adapter: Adapter = memoryAdapter(), options: Partial<PosternPluginOptions> = {}) {
  const written: Ticket[] = []
  const { createTicket } = adapter
  const watched: Adapter = {
    ...adapter,
    ...(createTicket && {
      createTicket: async (ticket: Ticket) => {
        written.push(ticket)
        await createTicket(ticket)
      }
    })
  }
  const app = Fastify()
  t.teardown(() => app.close())
  const clock = createClock()
  await app.register(postern, {
    ...{ url: origin, secret, adapter: watched, providers: [], runtime: { now: clock.now }, rateLimit: false },
    ...options
  })
  return { app, clock, written, tokens: app.postern.oneTimeTokens }
}

t.test('a token returns its subject once', async (t) => {
  const { tokens, written } = await open(t)
  const token = await tokens.create('reset', 'ada@example.com', { expiresIn })
  t.match(token, /^[\w-]{43}$/)
  t.equal(await tokens.read('reset', token), 'ada@example.com')
  t.equal(await tokens.read('reset', token), 'ada@example.com', 'it is still there')
  t.equal(await tokens.consume('reset', token), 'ada@example.com')
  t.equal(await tokens.consume('reset', token), null)
  t.equal(await tokens.read('reset', token), null)
  t.equal(written.length, 1)
  t.notMatch(JSON.stringify(written), token, 'the store has only a hash')
  t.not(await tokens.create('reset', 'a', { expiresIn }), await tokens.create('reset', 'a', { expiresIn }))
})

t.test('attack: another purpose, an expired token, and values that are no token', async (t) => {
  const { tokens, clock } = await open(t)
  const token = await tokens.create('reset', '1', { expiresIn })
  for (const purpose of ['sign-up', 'Reset', 'reset ', 'RESET', '1']) {
    t.equal(await tokens.read(purpose, token), null, purpose)
    t.equal(await tokens.consume(purpose, token), null, purpose)
  }
  const wrong = [
    '',
    token.slice(1),
    `${token}0`,
    `${token.slice(0, -1)}!`,
    token.toUpperCase(),
    [token],
    { token },
    1,
    null
  ]
  for (const value of [...wrong, undefined]) t.equal(await tokens.consume('reset', value), null, String(value))
  clock.advance(expiresIn - 1)
  t.equal(await tokens.read('reset', token), '1', 'it is still valid')
  clock.advance(1)
  t.equal(await tokens.read('reset', token), null)
  t.equal(await tokens.consume('reset', token), null)
})

t.test('attack: a row that was copied from another purpose, or written without the secret', async (t) => {
  const adapter = memoryAdapter()
  const { tokens, written } = await open(t, adapter)
  const token = await tokens.create('reset', 'mallory', { expiresIn })
  const [ticket] = written
  if (!ticket) throw new Error('expected a ticket')
  await adapter.consumeTicket(ticket)
  await adapter.createTicket({ ...ticket, data: 'ada' })
  t.equal(await tokens.consume('reset', token), null, 'the subject is encrypted')
})

t.test('revoke ends the tokens of one purpose and subject', async (t) => {
  const { tokens } = await open(t)
  const [one, two, other, sign] = [
    await tokens.create('reset', '1', { expiresIn }),
    await tokens.create('reset', '1', { expiresIn }),
    await tokens.create('reset', '2', { expiresIn }),
    await tokens.create('sign-up', '1', { expiresIn })
  ]
  await tokens.revoke('reset', '1')
  t.equal(await tokens.consume('reset', one), null)
  t.equal(await tokens.consume('reset', two), null)
  t.equal(await tokens.consume('reset', other), '2')
  t.equal(await tokens.consume('sign-up', sign), '1')
})

t.test('a suspended or deleted user has no tokens', async (t) => {
  const adapter = memoryAdapter()
  const { tokens, app } = await open(t, adapter)
  for (const act of ['suspend', 'delete'] as const) {
    const { id } = await adapter.createUser({ name: null, email: `${act}@example.com`, emailVerified: null })
    const token = await tokens.create('reset', id, { expiresIn })
    if (act === 'suspend') await app.postern.users.suspend(id)
    else await app.postern.deleteUser(id)
    t.equal(await tokens.consume('reset', token), null, act)
  }
})

t.test('a token outlives a change of the secrets that still decrypt', async (t) => {
  const adapter = memoryAdapter()
  const { tokens } = await open(t, adapter)
  const token = await tokens.create('reset', '1', { expiresIn })
  const later = await open(t, adapter, { secret: ['another secret, of 32 characters or more', secret] })
  t.equal(await later.tokens.consume('reset', token), '1')
})

t.test('invalid arguments are errors', async (t) => {
  const { tokens } = await open(t)
  const calls: readonly (() => Promise<unknown>)[] = [
    () => tokens.create('', '1', { expiresIn }),
    () => tokens.create('reset', '', { expiresIn }),
    () => tokens.create('reset', 'a'.repeat(256), { expiresIn }),
    () => tokens.create('reset', 'a\nb', { expiresIn }),
    () => tokens.create('reset', '1', {} as never),
    () => tokens.create('reset', '1', { expiresIn: 0 }),
    () => tokens.create('reset', '1', { expiresIn, expires: 1 } as never),
    () => tokens.consume('', 'a'),
    () => tokens.read(undefined as never, 'a'),
    () => tokens.revoke('reset', '')
  ]
  for (const call of calls) await t.rejects(call(), { name: 'TypeError' }, call.toString())
  const { createTicket: _, ...others } = memoryAdapter()
  const { app } = await open(t, others)
  await t.rejects(app.postern.oneTimeTokens.create('reset', '1', { expiresIn }), { code: 'ADAPTER_INCOMPLETE' })
  await t.rejects(app.postern.oneTimeTokens.consume('reset', 'a'), { code: 'ADAPTER_INCOMPLETE' })
})

t.test('50 at once use a token exactly once', async (t) => {
  const adapter = memoryAdapter()
  const [one, other] = [await open(t, adapter), await open(t, adapter)]
  const subject = 'Ada \u{1F469}'
  const token = await one.tokens.create('reset', subject, { expiresIn })
  const used = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).tokens.consume('reset', token))
  )
  t.same(
    used.filter((found) => found !== null),
    [subject]
  )
})
