// Factors that a sign-in method has ready for a user who does not exist yet.
import type { Feature, NewUserFactor } from '@postern/core/feature'
import t from 'tap'
import { getSession, people, start } from './start.ts'

const vera = 'vera@example.com'

/** A method that proves one mailbox, and has these factors for a new user. */
const createKeys = (newUserFactors: readonly NewUserFactor[]): Feature => ({
  id: 'keys',
  needs: ['createFactor', 'getFactor', 'listFactors'],
  setup: () => ({
    signInMethods: [
      {
        id: 'keys',
        name: 'Keys',
        type: 'keys',
        accountPolicy: 'mailbox',
        verify: () => ({ kind: 'identity', providerAccountId: vera, user: { email: vera }, newUserFactors })
      }
    ]
  })
})

const key = { type: 'key', name: null, data: 'secret' }

for (const store of ['memory', 'sqlite'] as const)
  t.test(`${store}: a new user gets factors with ids of their own, or with the id of the user`, async (t) => {
    const features = [{ ...key, id: 'one' }, { ...key, id: 'two' }, key]
    const { browser, adapter } = await start(t, { store, providers: [people, createKeys(features)], instances: 1 })
    await browser.submit('/api/auth/callback/keys', {})
    t.match(await getSession(browser), { user: { email: vera } })
    const { id: userId = '' } = (await adapter?.getUserByEmail?.(vera)) ?? {}
    const factors = (await adapter?.listFactors?.(userId)) ?? []
    t.same(factors.map(({ id }) => id).toSorted(), ['one', 'two', userId].toSorted())
    t.ok(factors.every((factor) => factor.userId === userId && factor.version === 0))
    t.equal((await adapter?.getFactor?.({ type: 'key', id: userId }))?.userId, userId)
  })

for (const store of ['memory', 'sqlite'] as const)
  t.test(`${store}: an id that another user has creates nobody, and takes nothing`, async (t) => {
    const providers = [people, createKeys([{ ...key, id: 'taken' }])]
    const { browser, adapter } = await start(t, { store, providers, instances: 1 })
    const user = await adapter?.createUser?.({ id: '', name: 'Olga', email: 'olga@example.com', emailVerified: null })
    const userId = user?.id ?? ''
    const about = { userId, createdAt: new Date(0), lastUsedAt: null, version: 0 }
    await adapter?.createFactor?.({ ...key, ...about, id: 'taken' })
    const refused = await browser.submit('/api/auth/callback/keys', {})
    t.match(refused.location, /error=EmailCreateAccount/)
    t.equal((await getSession(browser))?.user, undefined)
    t.equal(await adapter?.getUserByEmail?.(vera), null)
    t.equal((await adapter?.getFactor?.({ type: 'key', id: 'taken' }))?.userId, userId)
  })
