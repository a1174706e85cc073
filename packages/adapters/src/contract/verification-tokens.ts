import { randomUUID } from 'node:crypto'
import type { VerificationToken } from '@postern/core'
import { type Case, it, itsOptional } from './case.ts'
import { hasFields, isNone, newToken } from './data.ts'

/** Pairs that share one member with the right pair, or combine both in a wrong way. */
const wrongPairs: readonly [
  title: string,
  pair: (token: VerificationToken) => { identifier: string; token: string }
][] = [
  ['the token with another identifier', ({ token }) => ({ identifier: `${randomUUID()}@example.com`, token })],
  ['the identifier with another token', ({ identifier }) => ({ identifier, token: randomUUID() })],
  ['the members swapped', ({ identifier, token }) => ({ identifier: token, token: identifier })],
  ['the members in one', ({ identifier, token }) => ({ identifier: `${identifier}${token}`, token: '' })],
  ['no identifier', ({ token }) => ({ identifier: '', token })],
  ['no token', ({ identifier }) => ({ identifier, token: '' })],
  ['a pattern for an identifier', ({ token }) => ({ identifier: '%', token })],
  ['a pattern for a token', ({ identifier }) => ({ identifier, token: '%' })]
]

/** One-time tokens. */
export const verificationTokens: readonly Case[] = [
  it('a token is taken once', async (t, adapter) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    const taken = await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })
    hasFields(t, taken, token)
    isNone(t, await adapter.useVerificationToken(token), 'it is used up')
  }),

  ...wrongPairs.map(([title, pair]) =>
    it(`${title} takes nothing and uses nothing up`, async (t, adapter) => {
      const token = newToken()
      await adapter.createVerificationToken(token)
      isNone(t, await adapter.useVerificationToken(pair(token)), 'nothing is returned')
      t.equal((await adapter.useVerificationToken(token))?.token, token.token, 'the right pair still works')
    })
  ),

  it('a wrong pair of two valid ones consumes neither', async (t, adapter) => {
    const [ada, bob] = [newToken(), newToken()]
    await adapter.createVerificationToken(ada)
    await adapter.createVerificationToken(bob)
    isNone(
      t,
      await adapter.useVerificationToken({ identifier: bob.identifier, token: ada.token }),
      'nothing is returned'
    )
    t.equal((await adapter.useVerificationToken(ada))?.identifier, ada.identifier, 'the first still works')
    t.equal((await adapter.useVerificationToken(bob))?.identifier, bob.identifier, 'the second still works')
  }),

  it('a token that has ended is given, and used up', async (t, adapter) => {
    const token = newToken({ expires: new Date(Date.now() - 60_000) })
    await adapter.createVerificationToken(token)
    const taken = await adapter.useVerificationToken(token)
    t.equal(taken?.expires.getTime(), token.expires.getTime(), 'it is for the caller to check')
    isNone(t, await adapter.useVerificationToken(token), 'it is used up')
  }),

  it('a newer token leaves the older one of the same person', async (t, adapter) => {
    const older = newToken()
    const newer = newToken({ identifier: older.identifier })
    await adapter.createVerificationToken(older)
    await adapter.createVerificationToken(newer)
    t.equal((await adapter.useVerificationToken(newer))?.token, newer.token, 'the newer')
    t.equal((await adapter.useVerificationToken(older))?.token, older.token, 'the older')
  }),

  itsOptional('getVerificationToken', 'looks without using up', async (t, adapter) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    for (const look of ['first', 'second']) {
      const found = await adapter.getVerificationToken({ identifier: token.identifier, token: token.token })
      t.ok(found, `the ${look} look`)
      hasFields(t, found, token)
    }
    t.ok(await adapter.useVerificationToken(token), 'it can still be used')
    isNone(t, await adapter.getVerificationToken(token), 'and is then deleted')
  }),

  itsOptional('getVerificationToken', 'finds nothing for a wrong pair', async (t, adapter) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    for (const [title, pair] of wrongPairs) isNone(t, await adapter.getVerificationToken(pair(token)), title)
  })
]
