import { memoryAdapter } from '@postern/adapters/memory'
import t from 'tap'
import { alone, createFaulty, isLinked, link, settings, someSettings, toName } from './link-faults.ts'
import { answer, beginKnown, startGated } from './pending-setup.ts'
import { choose, isAlive, logout, overlapEverywhere, second, startOverlap } from './session-setup.ts'
import { begin, idIn, idOf, signIn, strategies, vera } from './setup.ts'

// Ends of sessions between two steps of what they have to end.

/** The calls after which a sign-in has a session. */
const createsSession = ['putSessionRecord', 'createSession']

for (const setting of someSettings()) {
  const { strategy, hasTransactions } = setting

  t.test(`${toName(setting)}: revokeAll while an interrupted sign-in is completed`, async (t) => {
    const { problems } = await overlapEverywhere(async (stored) => {
      const started = await startGated(t, { session: { strategy }, adapter: choose(stored, hasTransactions) })
      const { app, clock } = started
      clock.set(new Date())
      const { userId, pending } = await beginKnown(t, started, 'provider')
      clock.advance(10)
      const check = async (): Promise<string | null> => ((await idIn(pending)) === null ? null : 'it is completed')
      const inner = (): Promise<void> => app.postern.sessions.revokeAll(userId)
      return { started, outer: () => answer(pending), inner, check }
    }, createsSession)
    t.strictSame(problems, [])
  })

  t.test(`${toName(setting)}: a logout token names a session, and another sign-in of its user waits`, async (t) => {
    const adapter = choose(memoryAdapter(), hasTransactions)
    const started = await startGated(t, { session: { strategy }, adapter })
    const { clock, issuer } = started
    clock.set(new Date())
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: `sid-${claims['sub']}` })
    const { signedIn, userId, pending } = await beginKnown(t, started, 'provider')
    clock.advance(10)
    t.equal(await idIn(signedIn), userId)
    t.equal((await logout(started, { sid: `sid-${vera.sub}` })).status, 200)
    clock.advance(3)
    await answer(pending)
    t.equal(await idIn(signedIn), null, 'the session has ended')
    t.equal(await idIn(pending), null, 'the sign-in is not completed')
  })
}

for (const setting of settings.filter(({ strategy }) => strategy === 'jwt'))
  t.test(`${toName(setting)}: its provider logs a session out that ends the others, after a sign-in`, async (t) => {
    const { problems } = await overlapEverywhere(
      async (stored) => {
        const options = { session: { strategy: setting.strategy } }
        const started = await startOverlap(t, choose(stored, setting.hasTransactions), options)
        const { browser, clock, newBrowser } = started
        await signIn(started, browser, vera)
        await signIn(started, browser, second, link)
        clock.advance(130)
        const [own, other] = [newBrowser(), newBrowser()]
        await signIn(started, own, vera)
        clock.advance(10)
        // The list of the sessions is not empty then, although the session that ends the others is not in it for a moment.
        const inner = async (): Promise<void> => {
          await signIn(started, other, second, alone)
          await logout(started, { sub: vera.sub })
        }
        const check = async (): Promise<string | null> => ((await isAlive(own)) ? 'it goes on' : null)
        return { started, outer: () => own.request('GET', '/sign-out-others'), inner, check }
      },
      ['putSessionRecord']
    )
    t.strictSame(problems, [])
  })

for (const strategy of strategies)
  t.test(`${strategy}: a link that the store writes after the two minutes of its marker is removed`, async (t) => {
    const { adapter, faults } = createFaulty(choose(memoryAdapter(), false))
    const started = await startOverlap(t, adapter, { session: { strategy } })
    const { browser, clock } = started
    await signIn(started, browser, vera)
    const id = (await idOf(started, vera.sub)) ?? ''
    const { finish } = await begin(started, browser, second, link)
    faults.before = async (name) => {
      if (name === 'linkAccount') clock.advance(121)
    }
    await finish()
    faults.before = null
    t.notOk(await isLinked(started, id))
    clock.advance(1)
    const late = started.newBrowser()
    await signIn(started, late, second, alone)
    t.not(await idIn(late), id)
  })
