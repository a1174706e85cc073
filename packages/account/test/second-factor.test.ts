import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { getAuthentication } from './passkey-application.ts'
import { ada, getAddress, origin, strategies } from './password-application.ts'
import {
  answer,
  base,
  enroll,
  getRecoveryCodes,
  openWithFactor,
  signInWithPassword
} from './second-factor-application.ts'

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: set up an app, sign in with it and with a recovery code, remove it`, async (t) => {
    const opened = await openWithFactor(t, strategy)
    const { auth, app, clock, newBrowser, browser, recoveryCodes, userId, mailbox } = opened
    t.equal(recoveryCodes.length, 10)
    t.ok(recoveryCodes.every((code) => /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/.test(code)))
    t.match(mailbox.last().subject, 'Two-step verification was turned on')
    t.equal(await getAddress(browser), ada, 'the session stays')

    const other = newBrowser()
    const interrupted = await signInWithPassword(other)
    t.match(interrupted.location, /\/verify\?error=SecondFactorRequired$/)
    const page = await other.followAll(interrupted)
    t.equal(page.url, `${origin}${base}/verify/factor`)
    t.match(page.html().querySelector('input[name=code]')?.attrs, {
      autocomplete: 'one-time-code',
      inputmode: 'numeric'
    })
    const refused = await other.fill(page, 'form:has(input[name=code])', { code: app.wrongCode() })
    t.equal(refused.status, 400)
    t.match(refused.html().querySelector('[role=alert]')?.text, 'The code is wrong')
    t.equal(await getAddress(other), null)
    const code = app.code()
    t.equal(
      (await other.fill(refused, 'form:has(input[name=code])', { code: `${code.slice(0, 3)} ${code.slice(3)}` }))
        .location,
      origin
    )
    t.equal(await getAddress(other), ada)
    t.same((await getAuthentication(opened, other))?.amr, ['pwd', 'otp', 'mfa'])

    const third = newBrowser()
    await signInWithPassword(third)
    t.equal((await answer(third, { recoveryCode: recoveryCodes[0]?.toLowerCase() ?? '' })).location, origin)
    t.same((await getAuthentication(opened, third))?.amr, ['pwd', 'mfa'])
    t.match(mailbox.last().text, 'Recovery codes left: 9.')
    t.match(await auth.features.factors.list(userId), [
      { type: 'totp', lastUsedAt: Date, left: null },
      { type: 'recovery-codes', lastUsedAt: Date, left: 9 }
    ])

    clock.advance(31)
    const removed = await third.submit(`${base}/factors/totp/remove`, { code: app.code() })
    t.equal(removed.location, `${origin}${base}/factors`)
    t.same(await auth.features.factors.list(userId), [])
    t.equal(await getAddress(other), null, 'the other sessions end')
    const last = newBrowser()
    t.equal((await signInWithPassword(last)).location, origin)
    const again = await enroll(opened, last)
    t.equal(getRecoveryCodes(again.page).length, 10)
  })
}
