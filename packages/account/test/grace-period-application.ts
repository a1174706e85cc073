import type { Adapter } from '@postern/core'
import type { Browser, BrowserResponse, Mail } from '@postern/testkit'
import {
  type AccountApplication,
  type AccountApplicationOptions,
  accountPath,
  ada,
  openAccountApplication,
  type Strategy
} from './account-application.ts'
import { getMail, getToken, settle } from './email-application.ts'

export const deletePath = `${accountPath}/delete`
export const cancelPath = `${deletePath}/cancel`
export const approvePath = `${deletePath}/approve`
export const linkPath = `${deletePath}/confirm`
export const day = 24 * 60 * 60

/** An application that deletes accounts after 30 days. */
export const openWithGrace = (
  t: Parameters<typeof openAccountApplication>[0],
  strategy: Strategy,
  { accountPages, ...options }: AccountApplicationOptions = {}
): Promise<AccountApplication> =>
  openAccountApplication(t, strategy, { ...options, accountPages: { deletionGracePeriod: 30, ...accountPages } })

/** Another process or application with the same store, clock and mails. */
export async function openBeside(
  t: Parameters<typeof openAccountApplication>[0],
  { adapter, clock, mailbox }: AccountApplication,
  options: AccountApplicationOptions = {}
): Promise<AccountApplication> {
  const runtime = { now: clock.now, sendMail: mailbox.sendMail }
  return { ...(await openWithGrace(t, 'database', { adapter, runtime, ...options })), clock, mailbox }
}

export const schedule = (browser: Browser): Promise<BrowserResponse> =>
  browser.submit(deletePath, { confirmation: 'DELETE' })

/** The link in the newest mail about a deletion that waits for the owner of the address. */
export const getDeletionUrl = (app: Pick<AccountApplication, 'mailbox'>, to: string = ada): string =>
  getMail(app, to, scheduledSubject).url

/** Deletes or keeps the account with the link. */
export const decideDeletion = (
  browser: Browser,
  url: string,
  decision: 'confirm' | 'cancel'
): Promise<BrowserResponse> => browser.submit(linkPath, { token: getToken(url), decision })

/** Deletes the account without a grace period: its owner follows the link in the mail, in the same browser. */
export async function deleteByLink(
  app: Pick<AccountApplication, 'mailbox'>,
  browser: Browser,
  to: string = ada
): Promise<BrowserResponse> {
  await schedule(browser)
  const url = getDeletionUrl(app, to)
  await browser.open(url)
  return decideDeletion(browser, url, 'confirm')
}

export const keep = (browser: Browser): Promise<BrowserResponse> => browser.submit(cancelPath, {})

export const deleteDue = ({ auth }: Pick<AccountApplication, 'auth'>): Promise<number> =>
  auth.features.account.deleteDue()

export const scheduledSubject = /will be deleted/
export const deletedSubject = /has been deleted/

/** Waits for the notices in the background. @returns The mails whose subject matches. */
export async function findMails(
  { mailbox }: Pick<AccountApplication, 'mailbox'>,
  subject: RegExp
): Promise<readonly Mail[]> {
  const getMails = (): readonly Mail[] => mailbox.mails.filter((mail) => subject.test(mail.subject))
  await settle(() => getMails().length > 0)
  // Another one that is on its way.
  const { length } = mailbox.mails
  await settle(() => mailbox.mails.length > length, 1000)
  return getMails()
}

export const countEvents = async (
  { adapter }: { readonly adapter: Adapter },
  userId: string,
  type: string
): Promise<number> =>
  ((await adapter.listEvents?.({ userId, limit: 100 })) ?? []).filter((event) => event.type === type).length
