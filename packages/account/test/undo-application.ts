import type { Browser, Person } from '@postern/testkit'
import type { Test } from 'tap'
import {
  type AccountApplication,
  ada,
  base,
  comeBack,
  createUser,
  first,
  forget,
  openAccountApplication,
  openLink,
  signIn,
  type strategies
} from './account-application.ts'
import { getId } from './email-application.ts'

export const mallory = 'mallory@example.com'
export const third = 'a third sentence to remember'
/** Seconds. */
export const day = 86_400
export const person: Person = { sub: 'ada', name: 'Ada', email: ada }
export const thiefsPerson: Person = { sub: 'mallory', name: 'Mallory', email: mallory }

/** Signs in at the provider. */
export async function signInAtAcme(app: AccountApplication, browser: Browser, who: Person = person): Promise<Browser> {
  await comeBack(app, browser, await browser.submit(`${base}/signin/acme`, {}), who)
  return browser
}

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

/** A user with a password and an account that are older than 7 days. */
export async function openWithOldProofs(t: Test, strategy: (typeof strategies)[number] = 'database', options = {}) {
  const app = await openAccountApplication(t, strategy, options)
  const browser = await createUser(app)
  await linkAcme(app, browser)
  const id = await getId(app, ada)
  app.clock.advance(8 * day)
  return { app, browser, id }
}
