import t from 'tap'
import {
  ada,
  addPasskey,
  base,
  comeBack,
  createLimiter,
  createUser,
  first,
  openAccountApplication,
  origin,
  second,
  signIn
} from './account-application.ts'
import { askForEmail, decide, emailPath, getMail, grace, settle } from './email-application.ts'
import { decideDeletion, schedule } from './grace-period-application.ts'
import { enroll } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

t.test('a notice has the language of the user, whatever the browser of a thief asks for', async (t) => {
  const asked = new Set<string>()
  const language = ({ user: { id } }: { readonly user: { readonly id: string } }): string => {
    asked.add(id)
    return 'de'
  }
  const app = await openAccountApplication(t, 'database', {
    callbacks: { language },
    rateLimit: { limiter: createLimiter() }
  })
  const { mails } = app.mailbox
  let read = 0
  /** Waits for this number of mails. @returns The subjects of all since the last call, sorted. */
  const getSubjects = async (count: number): Promise<readonly string[]> => {
    await settle(() => mails.length >= read + count)
    const subjects = mails.slice(read).map(({ subject }) => subject)
    t.equal(subjects.length, count, subjects.join('; '))
    read = mails.length
    return subjects.sort()
  }
  await createUser(app)
  await getSubjects(1)
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  t.match(await getSubjects(1), [/^Neue Anmeldung/])
  t.match(mails.at(-1)?.text, / am \d+\. \p{L}+ \d{4} um \d\d:\d\d UTC/u, 'the time too')
  await addPasskey(thief, createAuthenticator({ origin }))
  t.match(await getSubjects(1), [/Passkey .*hinzugefügt/])
  await thief.submit(`${base}/password`, { password: second, currentPassword: first })
  t.match(await getSubjects(1), [/^Ihr Passwort/])
  await askForEmail(thief, grace)
  t.match(await getSubjects(1), [/^Confirm/], 'who asks for a mail reads it')
  await thief.submit(`${emailPath}/confirm`, { code: getMail(app, grace).code })
  t.match(await getSubjects(1), [/^Ihre E-Mail-Adresse .* wird geändert/])
  await decide(app.newBrowser(), getMail(app, ada).url, 'confirm')
  t.match(await getSubjects(2), [/^Das ist jetzt/, /^Ihre E-Mail-Adresse .* wurde geändert/])
  const owner = app.newBrowser()
  await signIn(owner, grace, second)
  t.match(await getSubjects(1), [/^Neue Anmeldung/])
  await enroll(app, owner)
  t.match(await getSubjects(2), [/^Die Bestätigung in zwei Schritten/, /code/])
  await app.auth.features.factors.reset([...asked][0] ?? '')
  t.match(await getSubjects(1), [/^Die Bestätigung in zwei Schritten .* zurückgesetzt/])
  await signIn(owner, grace, second)
  t.match(await getSubjects(1), [/^Neue Anmeldung/], 'a reset forgets devices')
  await schedule(owner)
  t.match(await getSubjects(1), [/^Ihr Konto .* wird gelöscht/])
  await decideDeletion(app.newBrowser(), getMail(app, grace).url, 'confirm')
  t.match(await getSubjects(1), [/^Ihr Konto .* gelöscht/])
  t.equal(asked.size, 1)
})

t.test('the owner of an address gets one mail about a new user who has it by a claim', async (t) => {
  const app = await openAccountApplication(t, 'database', {
    rateLimit: { limiter: createLimiter() },
    callbacks: { language: () => 'de' }
  })
  const { mails } = app.mailbox
  const signUp = async (sub: string, claims: object): Promise<void> => {
    const browser = app.newBrowser()
    const started = await browser.submit(`${base}/signin/acme`, {})
    const back = await comeBack(app, browser, started, { sub, name: sub, ...claims })
    t.notMatch(back.location, /error/, sub)
  }
  await signUp('claimed', { email: 'claimed@example.com' })
  await settle(() => mails.length > 0)
  t.match(mails, [
    { to: 'claimed@example.com', subject: /^Ein Konto bei .* wurde mit dieser E-Mail-Adresse erstellt$/ }
  ])
  t.match(mails[0]?.text, /mit Acme ein Konto/)
  await signUp('claimed', { email: 'claimed@example.com' })
  await signUp('proven', { email: 'proven@example.com', email_verified: true })
  await signUp('nobody', {})
  await signUp('other', { email: 'other@example.com', email_verified: false })
  await settle(() => mails.length > 1)
  t.same(
    mails.map(({ to }) => to),
    ['claimed@example.com', 'other@example.com'],
    'once, and only of a claim'
  )
})
