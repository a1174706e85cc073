import type { OAuthConfig } from '@postern/core'
import { type Browser, createIssuer, type Issuer, type Person } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type Application,
  ada,
  base,
  canSignIn,
  findUser,
  first,
  forget,
  getAddress,
  openApplication,
  openLink,
  origin,
  second,
  signUp,
  strategies
} from './password-application.ts'

interface Stage extends Application {
  readonly issuer: Issuer
}

async function openStage(t: Test, strategy: (typeof strategies)[number]): Promise<Stage> {
  const issuer = createIssuer({ redirectUris: [`${origin}${base}/callback/demo`] })
  const demo: OAuthConfig = {
    ...{ id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer },
    ...{ clientId: issuer.clientId, clientSecret: issuer.clientSecret ?? '' },
    authorization: { params: { scope: 'openid email profile' } },
    verifiesEmail: true
  }
  const app = await openApplication(t, strategy, { providers: [demo], runtime: { fetch: issuer.fetch } })
  return { ...app, issuer }
}

async function goToProvider({ issuer }: Stage, browser: Browser, person: Person): Promise<() => Promise<unknown>> {
  const { location } = await browser.submit(`${base}/signin/demo`, {})
  const callback = await issuer.authorize(location ?? '', person)
  return () => browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}

/** The account of the attacker, which states the address of the owner without a proof. */
const mallory: Person = { sub: 'mallory', name: 'M', email: ada, email_verified: false }
const owned: Person = { sub: 'ada', name: 'Ada', email: ada, email_verified: true }

/** What an attacker can do who knows the address. The mails go to the owner, who does not open them. */
const attacks: Readonly<Record<string, (stage: Stage, attacker: Browser) => Promise<unknown>>> = {
  'signs up with a password': (_stage, attacker) => signUp(attacker, ada, first),
  'asks for a mail to sign in': (_stage, attacker) => attacker.submit(`${base}/signin/email`, { email: ada }),
  'asks for a new password': (_stage, attacker) => forget(attacker, ada),
  'signs in at a provider, and sets a password': async (stage, attacker) => {
    await (await goToProvider(stage, attacker, mallory))()
    await attacker.submit(`${base}/password`, { password: first })
  }
}

/** How the owner creates the account, or proves the address: the start, and what finishes it. */
const ways: Readonly<Record<string, (stage: Stage, owner: Browser) => Promise<() => Promise<unknown>>>> = {
  'signs up with a password': async ({ mailbox }, owner) => {
    await signUp(owner, ada, second)
    const mail = mailbox.last()
    return () => openLink(owner, mail)
  },
  'signs up with a code': async ({ mailbox }, owner) => {
    const page = await owner.follow(await signUp(owner, ada, second))
    const [code = null] = mailbox.last().codes
    // An address that has a user gets a mail without a code, which leads to the sign-in page.
    return async () => code && owner.fill(page, 'form', { code })
  },
  'signs in by mail': async ({ mailbox }, owner) => {
    await owner.submit(`${base}/signin/email`, { email: ada })
    const { url } = mailbox.last()
    return () => owner.open(url)
  },
  'signs in at a provider': (stage, owner) => goToProvider(stage, owner, owned)
}

const times = ['before', 'between', 'after', 'before and after'] as const

const orders = some(
  strategies.flatMap((strategy) =>
    Object.keys(attacks).flatMap((attack) =>
      Object.keys(ways).flatMap((way) => times.map((time) => ({ strategy, attack, way, time })))
    )
  ),
  ({ strategy, attack, way, time }) => [strategy, attack, way, time]
)

t.test(`pre-hijack: ${orders.length} orders of an attacker and the owner of the address`, async (t) => {
  for (const { strategy, attack, way, time } of orders) {
    const title = `${strategy}: the owner ${way}, the attacker ${attack} ${time}`
    const stage = await openStage(t, strategy)
    const [attacker, owner] = [stage.newBrowser(), stage.newBrowser()]
    const strike = () => attacks[attack]?.(stage, attacker)
    if (time.startsWith('before')) await strike()
    const finish = await ways[way]?.(stage, owner)
    if (time === 'between') await strike()
    await finish?.()
    if ((await getAddress(owner)) === null) {
      // A code of a sign-up was not mailed, because the attacker has a user with the address: the mail leads to the sign-in page.
      await (await ways['signs in by mail']?.(stage, owner))?.()
    }
    if (time.endsWith('after')) await strike()

    t.equal(await getAddress(owner), ada, `${title}: the owner is signed in`)
    const { id = '', emailVerified = null } = (await findUser(stage, ada)) ?? {}
    t.ok(emailVerified, `${title}: the address is verified`)
    const sessions = async () => (await stage.auth.sessions.list(id)).length
    t.equal(await sessions(), 1, `${title}: nobody else has a session`)
    // A reclaim refuses forms that were submitted within 30 seconds.
    stage.clock.advance(60)
    t.notOk(await canSignIn(stage.newBrowser(), ada, first), `${title}: not with the attacker's password`)
    await (await goToProvider(stage, attacker, mallory))()
    t.equal(await sessions(), 1, `${title}: nor at the attacker's provider`)
    t.same(await stage.adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'mallory' }), null, title)
    for (const code of ['BBBBBBBB', ...stage.mailbox.mails.flatMap(({ codes }) => codes)])
      if (attack !== 'signs up with a password' || code === 'BBBBBBBB')
        await attacker.submit(`${base}/callback/password-sign-up`, { code })
    t.equal(await sessions(), 1, `${title}: nor with a code`)
    const hasPassword = await stage.auth.features.password.has(id)
    t.equal(hasPassword, await canSignIn(stage.newBrowser(), ada, second), `${title}: a password is the owner's`)
    if (way.startsWith('signs in')) t.notOk(hasPassword, title)
  }
})
