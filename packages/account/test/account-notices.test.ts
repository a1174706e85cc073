import t from 'tap'
import {
  accountPath,
  ada,
  addPasskey,
  base,
  createUser,
  first,
  openAccountApplication,
  second,
  signIn
} from './account-application.ts'
import { changeEmail, getUndoUrl, grace, settle, undo } from './email-application.ts'
import { enroll } from './second-factor-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

t.test('a notice has the language of the user, whatever the browser of a thief asks for', async (t) => {
  const asked = new Set<string>()
  const language = ({ user: { id } }: { readonly user: { readonly id: string } }): string => {
    asked.add(id)
    return 'de'
  }
  const app = await openAccountApplication(t, 'database', { callbacks: { language } })
  const { mails } = app.mailbox
  /** The German subjects of the notices since the last call: a mailed code has the language of the request. */
  const getNotices = async (count: number): Promise<readonly string[]> => {
    const list = (): readonly string[] =>
      mails.filter(({ html }) => html?.includes('<html lang="de"')).map(({ subject }) => subject)
    await settle(() => list().length >= count)
    const found = list()
    mails.length = 0
    return found
  }
  await createUser(app)
  const thief = app.newBrowser()
  await signIn(thief, ada, first)
  t.match(await getNotices(1), [/^Neue Anmeldung/])
  await addPasskey(thief, createAuthenticator())
  t.match(await getNotices(1), [/^Ein Passkey .* hinzugefügt/])
  await thief.submit(`${base}/password`, { password: second, currentPassword: first })
  t.match(await getNotices(1), [/^Ihr Passwort/])
  await changeEmail(app, thief, grace)
  const url = getUndoUrl(app, ada, /wurde geändert/)
  t.match(await getNotices(2), [/^Ihre E-Mail-Adresse .* geändert/, /^Das ist jetzt/])
  await undo(app.newBrowser(), url, { password: second })
  t.match(await getNotices(2), Array(2).fill(/rückgängig/))
  const owner = app.newBrowser()
  await signIn(owner, ada, second)
  await getNotices(1)
  await enroll(app, owner)
  t.match(await getNotices(1), [/^Ein zweiter Faktor/])
  await owner.submit(`${accountPath}/delete`, { confirmation: 'DELETE' })
  t.match(await getNotices(1), [/^Ihr Konto .* gelöscht/])
  t.equal(asked.size, 1)
})
