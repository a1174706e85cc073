import type { SignInMail } from '@postern/core'
import type { Texts } from '../texts/texts.ts'

/** When a mail was requested, in UTC because the recipient's time zone is unknown, and from which browser. */
export function formatRequest(
  { requestedAt, browser }: Pick<SignInMail, 'requestedAt' | 'browser'>,
  { lang }: Pick<Texts, 'lang'>
): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const
  const time = `${new Intl.DateTimeFormat(lang, format).format(requestedAt)} UTC`
  return browser === null ? time : `${time} · ${browser}`
}
