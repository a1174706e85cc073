import type { Browser, BrowserResponse, Mail, Person } from '@postern/testkit'
import {
  type AccountApplication,
  accountPath,
  ada,
  base,
  comeBack,
  findUser,
  first,
  forget,
  openLink,
  signIn
} from './account-application.ts'

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

/** Asks for another address, and proves it with the mailed code. */
export async function proveEmail(app: AccountApplication, browser: Browser, email: string): Promise<BrowserResponse> {
  await askForEmail(browser, email)
  return browser.submit(`${emailPath}/confirm`, { code: getMail(app, email, /Confirm your new/).code })
}

export const waitingSubject = /will be changed/

/** The link in the newest mail to the current address. */
export const getDecisionUrl = (app: Pick<AccountApplication, 'mailbox'>, to: string = ada): string =>
  getMail(app, to, waitingSubject).url

/** Confirms or cancels a change with the link. */
export const decide = (browser: Browser, url: string, decision: 'confirm' | 'cancel'): Promise<BrowserResponse> =>
  browser.submit(`${emailPath}/change`, { token: getToken(url), decision })

/** Changes the address: the owner of the current one confirms it in the same browser. Waits for the notices. */
export async function changeEmail(app: AccountApplication, browser: Browser, email: string): Promise<BrowserResponse> {
  const { length } = app.mailbox.mails
  const proven = await proveEmail(app, browser, email)
  const waiting = app.mailbox.mails.slice(length).find(({ subject }) => waitingSubject.test(subject))
  const response = waiting ? await decide(browser, waiting.url, 'confirm') : proven
  const isNotice = (mail: Mail): boolean => mail.to === email && /is your email address/.test(mail.subject)
  await settle(() => app.mailbox.mails.slice(length).some(isNotice))
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

export const getToken = (url: string): string => new URL(url).searchParams.get('token') ?? ''

export const getId = async (app: AccountApplication, address: string): Promise<string> =>
  (await findUser(app, address))?.id ?? ''

/** The addresses and the times at which they were verified, by user. */
export const getEmail = async ({ adapter }: AccountApplication, id: string): Promise<string | null> =>
  (await adapter.getUser?.(id))?.email ?? null

export const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.open(accountPath)).status === 200

export const mallory = 'mallory@example.com'
export const third = 'a third sentence to remember'
/** Seconds. */
export const day = 86_400
export const person: Person = { sub: 'ada', name: 'Ada', email: ada }

/** Connects an account at the provider. */
export const linkAcme = async (app: AccountApplication, browser: Browser, who: Person = person): Promise<unknown> =>
  comeBack(app, browser, await browser.submit(`${base}/signin/acme`, { link: 'true' }), who)

/** Signs in with a password, in a new browser. */
export async function openSession(
  app: AccountApplication,
  password: string = first,
  address: string = ada
): Promise<Browser> {
  const browser = app.newBrowser()
  await signIn(browser, address, password)
  return browser
}

/** Resets the password with the mail to an address. */
export async function reset(app: AccountApplication, address: string, password: string): Promise<void> {
  const browser = app.newBrowser()
  await forget(browser, address)
  await openLink(browser, app.mailbox.last(), { password })
}
