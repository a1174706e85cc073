import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  createLimiter,
  createUser,
  first,
  openAccountApplication,
  openLink,
  origin,
  second,
  signIn
} from './account-application.ts'
import { askForEmail, getMail, getUndoUrl, grace, settle, undo } from './email-application.ts'
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
  await addPasskey(thief, createAuthenticator({ origin }))
  t.match(await getSubjects(1), [/Passkey .*hinzugefügt/])
  await thief.submit(`${base}/password`, { password: second, currentPassword: first })
  t.match(await getSubjects(1), [/^Ihr Passwort/])
  await askForEmail(thief, grace)
  t.match(await getSubjects(1), [/^Confirm/], 'who asks for a mail reads it')
  await openLink(thief, getMail(app, grace))
  t.match(await getSubjects(2), [/^Das ist jetzt/, /^Ihre E-Mail-Adresse .* geändert/])
  const url = getUndoUrl(app, ada, /E-Mail-Adresse .* geändert/)
  await undo(app.newBrowser(), url, { password: second })
  t.match(await getSubjects(2), [/rückgängig/, /rückgängig/])
  const owner = app.newBrowser()
  await signIn(owner, ada, second)
  t.match(await getSubjects(1), [/^Neue Anmeldung/])
  await enroll(app, owner)
  t.match(await getSubjects(2), [/^Die Bestätigung in zwei Schritten/, /code/])
  await app.auth.features.factors.reset([...asked][0] ?? '')
  t.match(await getSubjects(1), [/^Die Bestätigung in zwei Schritten .* zurückgesetzt/])
  await signIn(owner, ada, second)
  t.match(await getSubjects(1), [/^Neue Anmeldung/], 'a reset forgets devices')
  await owner.submit(`${accountPath}/delete`, { confirmation: 'DELETE' })
  t.match(await getSubjects(1), [/^Ihr Konto .* gelöscht/])
  t.equal(asked.size, 1)
})
