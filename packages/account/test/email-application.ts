import type { Browser, BrowserResponse, Mail } from '@postern/testkit'
import { type AccountApplication, accountPath, ada, findUser, openLink, signIn } from './account-application.ts'

export const grace = 'grace@example.com'
export const emailPath = `${accountPath}/email`

/** Asks for another address. @returns The response to the form. */
export const askForEmail = (browser: Browser, email: string): Promise<BrowserResponse> =>
  browser.submit(emailPath, { email })

/** The newest mail to an address whose subject matches. */
export function getMail({ mailbox }: Pick<AccountApplication, 'mailbox'>, to: string, subject: RegExp = /./): Mail {
  const found = mailbox.mails.findLast((mail) => mail.to === to && subject.test(mail.subject))
  if (!found) throw new Error(`expected a mail to ${to} about ${subject}`)
  return found
}

export const undoSubject = /email address at .* has been changed/

/** Changes the address with the mailed link. Waits for the notices. */
export async function changeEmail(app: AccountApplication, browser: Browser, email: string): Promise<BrowserResponse> {
  await askForEmail(browser, email)
  const response = await openLink(browser, getMail(app, email, /Confirm your new/))
  const isNotice = (mail: Mail): boolean => mail.to === email && /is your email address/.test(mail.subject)
  const count = (): number => app.mailbox.mails.filter(isNotice).length
  await settle(() => count() > 0)
  return response
}

/** Lets work in the background continue for some turns of the event loop. */
export async function runTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Notices are sent in the background, by a mail server that responds at once. Some changes send none. */
export async function settle(isDone: () => boolean, maxTurns: number = 10_000): Promise<void> {
  for (let turn = 0; turn < maxTurns && !isDone(); turn++) await runTurns(1)
}

/** Waits for work in the background that takes more turns on a busy machine. */
export async function waitFor(isDone: () => boolean): Promise<void> {
  const end = performance.now() + 60_000
  while (!isDone() && performance.now() < end) await runTurns(1)
}

/** The link that undoes the newest change, from the mail to the address before it. */
export const getUndoUrl = (app: AccountApplication, to: string = ada, subject: RegExp = undoSubject): string =>
  getMail(app, to, subject).url

export const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''

/** Undoes a change with the password from before it. */
export const undo = async (
  browser: Browser,
  url: string,
  values: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> => browser.submit(`${emailPath}/undo`, { token: getToken(url), ...values })

export const getId = async (app: AccountApplication, address: string): Promise<string> =>
  (await findUser(app, address))?.id ?? ''

/** The addresses and the times at which they were verified, by user. */
export const getEmail = async ({ adapter }: AccountApplication, id: string): Promise<string | null> =>
  (await adapter.getUser?.(id))?.email ?? null

export const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.open(accountPath)).status === 200

export { signIn }
