import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { eventTypes as auditTypes } from '../src/audit-log/event-types.ts'
import { eventTypes as pageTypes } from '../src/pages/event-types.ts'
import { eventTypes as passkeyTypes } from '../src/passkey/event-types.ts'
import { eventTypes as passwordTypes } from '../src/password/event-types.ts'
import { eventTypes as factorTypes } from '../src/second-factor/event-types.ts'
import { type AccountApplication, accountPath, addPasskey, comeBack } from './account-application.ts'
import { getTypes, openAuditApplication, readAll } from './audit-log-application.ts'
import { deleteByLink } from './grace-period-application.ts'
import {
  ada,
  base,
  change,
  createUser,
  findUser,
  first,
  forget,
  getAddress,
  getCookies,
  openLink,
  second,
  signIn,
  signInByMail,
  strategies
} from './password-application.ts'
import { answer, createApp, enroll, getKey, getRecoveryCodes } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'
import { storesAt } from './stores.ts'

const turns = turnsOf(strategies, t)
const eve = 'eve@example.com'

/** Secrets that were used, which no record may contain. */
type Secrets = Set<string>

/** Everything that concerns passwords and sign-ins by mail and by a provider. */
async function useAccount(app: AccountApplication, secrets: Secrets): Promise<string> {
  const { auth, mailbox, newBrowser, clock } = app
  const browser = await createUser(app)
  for (const value of getCookies(browser).values()) secrets.add(value)
  const id = (await findUser(app, ada))?.id ?? ''
  await browser.submit(`${accountPath}/profile`, { name: 'Ada' })
  await browser.fill(await browser.open(`${accountPath}/data`), `${accountPath}/data`)
  const path = `${accountPath}/connections`
  await comeBack(app, browser, await browser.fill(await browser.open(path), `${base}/signin/acme`))
  await browser.fill(await browser.open(path), `${path}/remove`)
  await signIn(browser, ada, first)
  await change(browser, { password: second })
  await forget(newBrowser(), ada)
  secrets.add(new URL(mailbox.last().url).searchParams.get('token') ?? '')
  await openLink(newBrowser(), mailbox.last(), { password: first })
  await signIn(newBrowser(), ada, 'a wrong password of Ada')
  await signIn(newBrowser(), 'stranger@example.com', 'a wrong password of a stranger')
  await browser.submit(`${base}/password/sign-up`, { email: ada, csrfToken: 'forged' })
  await auth.users.suspend(id)
  await auth.users.resume(id)
  clock.advance(60)
  await app.adapter.updateUser?.({ id, emailVerified: null })
  const owner = newBrowser()
  await signInByMail(owner, ada, mailbox)
  secrets.add(new URL(mailbox.last().url).searchParams.get('token') ?? '').add(mailbox.last().code)
  await owner.submit(`${base}/signout`, {})
  clock.advance(60)
  return id
}

/** Everything that concerns passkeys and the second factor. */
async function useFactors(app: AccountApplication, secrets: Secrets): Promise<void> {
  const { auth, newBrowser, mailbox, clock } = app
  const browser = newBrowser()
  await signInByMail(browser, ada, mailbox)
  const authenticator = createAuthenticator({ origin: 'https://app.test' })
  await addPasskey(browser, authenticator)
  const [passkey] = await auth.features.passkey.list((await findUser(app, ada))?.id ?? '')
  await browser.submit(`${base}/passkeys/${passkey?.id}/rename`, { name: 'Key' })
  await browser.submit(`${base}/passkeys/${passkey?.id}/remove`, {})
  const { app: totp, recoveryCodes } = await enroll(app, browser)
  for (const code of recoveryCodes) secrets.add(code)
  const other = newBrowser()
  await signInByMail(other, ada, mailbox)
  await answer(other, { code: totp.wrongCode() })
  await browser.submit(`${base}/verify/factor`, { csrfToken: 'forged' })
  const [recoveryCode = ''] = recoveryCodes
  await answer(other, { recoveryCode })
  secrets.add(totp.code())
  await browser.submit(`${accountPath}/devices/end-others`, {})
  const renewed = await browser.submit(`${base}/factors/recovery-codes`, { code: totp.code() })
  for (const code of getRecoveryCodes(renewed)) secrets.add(code)
  clock.advance(31)
  await browser.submit(`${base}/factors/totp/remove`, { code: totp.code() })
  await auth.features.factors.reset((await findUser(app, ada))?.id ?? '', { actor: 'Grace' })
}

/** A new user who has to enroll a second factor, and deletes the account. */
async function useEnrollment(app: AccountApplication): Promise<void> {
  const { newBrowser, mailbox, clock } = app
  const browser = newBrowser()
  await signInByMail(browser, eve, mailbox)
  const page = await browser.open(`${base}/verify/enroll`)
  await browser.submit(`${base}/verify/enroll`, { code: createApp(getKey(page), clock.now).code() })
  await browser.submit(`${base}/verify/enroll`, { saved: 'yes' })
  await deleteByLink(app, browser, eve)
}

/** Written by tests of their own: they need a mailed link, a canceled deletion, an administrator, a cloned authenticator, or a full buffer. */
const elsewhere = [
  'deletion-cancelled',
  'email-change-cancelled',
  'email-change-requested',
  'email-changed',
  'email-verified',
  'factor-imported',
  'impersonation-end',
  'impersonation-start',
  'passkey-copied',
  'refusals-dropped'
]

for (const [name, skip, open] of storesAt(2, 3))
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: every type is written, without secrets`, { skip }, async (t) => {
      const app = await openAuditApplication(t, strategy, {
        adapter: await open(t),
        secondFactor: { required: ({ email }) => email === eve }
      })
      const secrets: Secrets = new Set([first, second, 'wrong password', 'stranger'])
      const id = await useAccount(app, secrets)
      await useFactors(app, secrets)
      await useEnrollment(app)
      const records = await readAll(app)
      const types = { ...auditTypes, ...pageTypes, ...passkeyTypes, ...passwordTypes, ...factorTypes }
      const written = new Set(getTypes(records))
      t.same(
        Object.keys(types)
          .filter((type) => !written.has(type))
          .sort(),
        elsewhere
      )
      t.same(
        [...written].filter((type) => !Object.hasOwn(types, type)),
        []
      )
      const refused = records.filter(({ outcome }) => outcome === 'refused')
      t.same(
        refused.map(({ type, reason, userId }) => [type, reason, userId].join(' ')).sort(),
        [
          `second-factor-failed  ${id}`,
          'request-refused CsrfTokenInvalid ',
          'sign-in-refused CredentialsSignin ',
          `sign-in-refused CredentialsSignin ${id}`,
          'verification-refused CsrfTokenInvalid '
        ].sort()
      )
      const all = JSON.stringify(records)
      for (const secret of secrets) t.notOk(secret === '' || all.includes(secret), `no ${secret}`)
      t.notOk(all.includes('@'), 'no addresses')
      t.equal(await getAddress(app.newBrowser()), null)
    })
