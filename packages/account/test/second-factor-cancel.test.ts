import { type Feature, redirect } from '@postern/core/feature'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { getAddress, origin, strategies } from './password-application.ts'
import { answer, base, openApplication } from './second-factor-application.ts'
import { admit, copy, openAda, wait } from './second-factor-stage.ts'

const cancelPath = `${base}/verify/cancel`

const turns = turnsOf(strategies, t)

for (const { value: strategy, test } of turns())
  test(`${strategy}: a sign-in that is canceled has ended, also for a copy of its cookies`, async (t) => {
    const stage = await openAda(t, strategy)
    const browser = await wait(stage)
    const copied = copy(stage, browser)
    const canceled = await browser.submit(cancelPath, {})
    t.equal(canceled.location, `${origin}${base}/signin?callbackUrl=${encodeURIComponent(origin)}`)
    for (const each of [browser, copied]) {
      t.match((await answer(each, { code: stage.app.code() })).location, /error=Callback/)
      t.equal(await getAddress(each), null)
    }
    t.equal((await browser.submit(cancelPath, {})).location, canceled.location, 'twice')
    await stage.enter(browser, stage.userId)
    t.equal((await answer(browser, { code: stage.app.code() })).location, origin, 'the next sign-in is another one')
  })

t.test('a user who is signed in goes back to the page that asked, and stays signed in', async (t) => {
  const stage = await openAda(t)
  const browser = await admit(stage)
  await browser.open(`${base}/verify?callbackUrl=/payout&max_age=0&amr=mfa`)
  await stage.enter(browser, stage.userId)
  const page = await browser.open(`${base}/verify/factor`)
  t.notMatch(page.body, 'Use another account', 'the account is fixed')
  t.equal((await browser.submit(cancelPath, {})).location, `${origin}/payout`)
  t.not(await getAddress(browser), null)
})

t.test('only the forms of the site cancel, and only by POST', async (t) => {
  const stage = await openAda(t)
  const browser = await wait(stage)
  t.equal((await browser.open(cancelPath)).status, 404)
  const forged = await browser.request('POST', cancelPath, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'csrfToken=0'
  })
  t.match(forged.location, /\/verify\?csrf=true$/)
  t.equal((await answer(browser, { code: stage.app.code() })).location, origin, 'the sign-in waits')
})

t.test('no interruption has the path of the form that cancels', async (t) => {
  const own: Feature = {
    id: 'own',
    setup: () => ({
      interruptions: [
        { id: 'cancel', order: 400, isDue: () => false, show: () => redirect('/'), verify: () => 'passed' }
      ]
    })
  }
  await t.rejects(openApplication(t, 'database', { features: [own] }), /have this id/)
})
