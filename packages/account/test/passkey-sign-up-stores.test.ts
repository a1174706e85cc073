import { isLong, times, turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { base, canSignIn, findUser, origin, strategies } from './passkey-application.ts'
import { callback, getToken, openForSignUps, signUpWithPasskey } from './passkey-sign-up-application.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { stores } from './stores.ts'

/** In `npm test` a store has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

const confirmations = isLong ? 50 : 12

for (const [name, skip, open] of stores)
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: of ${confirmations} confirmations, one creates the user with the passkey`, {
      skip
    }, async (t) => {
      const app = await openForSignUps(t, strategy, { adapter: await open(t) })
      for (let round = 0; round < times(1, 50); round++) {
        const address = `round-${round}@example.com`
        const [browser, authenticator] = [app.newBrowser(), createAuthenticator({ origin })]
        await signUpWithPasskey(browser, address, authenticator)
        const { url, code } = app.mailbox.last()
        const csrf = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
        // The link and the code are one ticket; at most five codes are verified.
        const responses = await Promise.all(
          Array.from({ length: confirmations }, (_, at) =>
            browser.submit(callback, at < 4 ? { code, ...csrf } : { token: getToken(url), ...csrf })
          )
        )
        t.equal(responses.filter(({ location }) => location === origin).length, 1, `round ${round}`)
        const sessions = responses.filter(({ setCookies }) =>
          setCookies.some((cookie) => cookie.name.includes('session-token') && cookie.value !== '')
        )
        t.equal(sessions.length, 1, `round ${round}: sessions`)
        const { id: userId = '' } = (await findUser(app, address)) ?? {}
        const [factor, ...others] = (await app.adapter.listFactors?.(userId)) ?? []
        t.match(factor, { type: 'passkey', userId, version: 0 })
        t.notMatch(factor?.data, authenticator.passkeys[0]?.id, 'the data is encrypted')
        t.same(others, [])
        t.ok(await canSignIn(app.newBrowser(), authenticator))
      }
    })
