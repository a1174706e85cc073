import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import t from 'tap'
import { choose, second, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, idOf, signIn, strategies, vera, withId } from './setup.ts'

const link = { provider: 'loose', link: 'true' } as const

for (const strategy of strategies)
  t.test(`${strategy}: a transaction that fails leaves no link, and the session stays`, async (t) => {
    const memory = memoryAdapter()
    let isFailing = false
    const transact: Adapter['transact'] = async (calls) => {
      if (!isFailing) return memory.transact?.(calls) ?? false
      isFailing = false
      throw new Error('outage')
    }
    const started = await startOverlap(t, { ...memory, transact }, { session: { strategy }, callbacks: withId })
    const { browser, clock } = started
    await signIn(started, browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    clock.advance(1)
    const { finish } = await begin(started, browser, second, link)
    isFailing = true
    await finish()
    t.strictSame(await accountsOf(started, id), ['demo vera'])
    t.equal(await idIn(browser), id, 'the session that asked for it')
    await signIn(started, browser, second, link)
    t.ok((await accountsOf(started, id)).includes('loose two'), 'the owner links it')
    t.equal(await idIn(browser), id, 'and continues with a new session')
  })

for (const hasTransactions of [true, false])
  t.test(`callbacks.jwt fails after a link, transactions ${hasTransactions}: nobody is signed in by it`, async (t) => {
    let isFailing = false
    const jwt = async <T>({ token }: { token: T }): Promise<T> => {
      if (isFailing) throw new Error('outage')
      return token
    }
    const options = { session: { strategy: 'jwt' }, callbacks: { ...withId, jwt } } as const
    const started = await startOverlap(t, choose(memoryAdapter(), hasTransactions), options)
    const { browser, clock } = started
    await signIn(started, browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    clock.advance(1)
    const { finish } = await begin(started, browser, second, link)
    isFailing = true
    const { location } = await finish()
    isFailing = false
    t.match(location, /error=/)
    t.ok((await accountsOf(started, id)).includes('loose two'), 'what the owner asked for is written')
    t.equal(await idIn(browser), null, 'the session that allowed it has ended')
    await signIn(started, browser, second, { provider: 'loose' })
    t.equal(await idIn(browser), id, 'the owner signs in with it')
  })
