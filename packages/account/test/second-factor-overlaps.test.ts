import t, { type Test } from 'tap'
import { ada, getAddress, strategies } from './password-application.ts'
import { base, type Strategy, startWithMail } from './second-factor-application.ts'
import { openStage, type Stage } from './second-factor-stage.ts'

interface AdaWithoutFactor extends Stage {
  readonly userId: string
  /** Requires a second factor from now on. */
  readonly require: () => void
  /** Runs once, while the next sign-in creates its session. */
  readonly runMeanwhile: (work: () => Promise<unknown>) => void
}

/** Ada has no second factor. */
async function openAda(t: Test, strategy: Strategy = 'database'): Promise<AdaWithoutFactor> {
  let isRequired = false
  const waiting: (() => Promise<unknown>)[] = []
  const stage = await openStage(t, strategy, {
    secondFactor: { required: () => isRequired },
    session: {
      strategy,
      remember: async () => {
        await waiting.pop()?.()
        return true
      }
    }
  })
  const require = (): void => {
    isRequired = true
  }
  return { ...stage, userId: await stage.addUser(ada), require, runMeanwhile: (work) => void waiting.push(work) }
}

for (const strategy of strategies) {
  t.test(`${strategy}: a sign-in that overlaps an enrollment keeps no session, whatever the clocks say`, async (t) => {
    for (const difference of [-2000, 0]) {
      const stage = await openAda(t, strategy)
      const runtime = { now: () => stage.clock.now() + difference, sendMail: stage.mailbox.sendMail }
      const process = await openStage(t, strategy, { adapter: stage.adapter, runtime })
      const [thief, owner] = [stage.newBrowser(), process.newBrowser()]
      await process.enter(owner, stage.userId)
      stage.runMeanwhile(async () => {
        const { app, form, mailCode } = await startWithMail(stage, owner)
        await owner.fill(form, `${base}/factors/totp`, { code: app.code(), mailCode })
      })
      t.match((await stage.enter(thief, stage.userId)).location, /error=/)
      t.match(await stage.auth.features.factors.list(stage.userId), [{ type: 'totp' }, {}])
      t.equal(await getAddress(thief), null, `${difference}`)
      t.equal(await getAddress(owner), ada)
    }
  })
}
