import type { AdapterUser } from '@postern/core'
import t from 'tap'
import { ada, base, openApplication, strategies } from './password-application.ts'

/** Milliseconds: timers may be early by less than one. */
const minDuration = 9

for (const strategy of strategies)
  t.test(`${strategy}: a request for a new password takes at least 10 ms for every address`, async (t) => {
    let isDown = false
    const sendMail = async (): Promise<void> => {
      if (isDown) throw new Error('the mail server is down')
    }
    const { adapter, auth, clock, newBrowser } = await openApplication(t, strategy, { runtime: { sendMail } })
    const create = (email: string, emailVerified: Date | null) =>
      adapter.createUser?.({ name: null, image: null, email, emailVerified } as AdapterUser)
    const user = await create(ada, new Date(clock.now()))
    await auth.features.password.setHash(user?.id ?? '', `$scrypt$ln=4,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`)
    await create('links@example.com', new Date(clock.now()))
    await create('unverified@example.com', null)
    const browser = newBrowser()
    const { csrfToken } = await browser.json<{ csrfToken: string }>(`${base}/csrf`)
    const forget = async (email: string) => {
      const start = performance.now()
      const { status, location } = await browser.submit(`${base}/password/forgot`, { email, csrfToken })
      return {
        response: { status, location: location?.replace(/ref=[\w-]+/, 'ref=') },
        time: performance.now() - start
      }
    }
    await forget('warm-up@example.com')
    const responses = new Set<string>()
    for (isDown of [false, true]) {
      for (const email of [ada, 'links@example.com', 'unverified@example.com', 'nobody@example.com']) {
        const { response, time } = await forget(email)
        responses.add(`${isDown} ${JSON.stringify(response)}`)
        t.ok(time >= minDuration, `${email}: ${time.toFixed(1)} ms, ${isDown ? 'without' : 'with'} a mail server`)
      }
    }
    t.equal(responses.size, 2, 'a mail that is not sent is reported, for every address alike')
  })
