import type { SignInMail } from '@postern/core'
import { perLocale } from '../per-locale.ts'
import type { Texts } from '../texts/texts.ts'

const getFormat = perLocale(
  (lang) => new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })
)

/** When a mail was requested, in UTC because the recipient's time zone is unknown, and from which browser. */
export function formatRequest(
  { requestedAt, browser }: Pick<SignInMail, 'requestedAt' | 'browser'>,
  { lang }: Pick<Texts, 'lang'>
): string {
  const time = `${getFormat(lang).format(requestedAt)} UTC`
  return browser === null ? time : `${time} · ${browser}`
}
