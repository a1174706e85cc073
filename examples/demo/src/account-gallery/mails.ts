import type { ByLanguage, FeatureMailContent } from '@postern/core'
import type { FeatureMail, FeatureParts } from '@postern/core/feature'

type Texts = Readonly<Record<string, string>>

/** As the mailer of the core writes times. */
function formatTime(time: string, language: string): string {
  const parts = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language, parts).format(new Date(time))} UTC`
}

const getTimes = (language: string): Texts => ({
  time: formatTime('2030-01-31T12:00:00Z', language),
  date: formatTime('2030-03-02T12:00:00Z', language)
})

const values: Texts = {
  client: '192.0.2.1',
  device: 'Firefox (Linux)',
  provider: 'GitHub',
  code: 'KMPTRBZX',
  passkey: 'iCloud Keychain',
  left: '7'
}

function fillMail(
  { subject, text, button }: FeatureMail,
  texts: Texts,
  { site, language }: { readonly site: string; readonly language: string }
): FeatureMailContent {
  const all: Texts = { ...values, ...getTimes(language), site }
  const fill = (key: string): string =>
    (texts[key] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => all[name] ?? whole)
  return {
    subject: fill(subject),
    paragraphs: fill(text).split('\n'),
    code: values['code'] ?? null,
    button: button === undefined ? null : { label: fill(button), url: 'http://localhost/api/auth/account' }
  }
}

/** The mails of a feature with sample values, by name. @param id - The id of the feature. */
export function createSampleMails(
  id: string,
  { mails = [], texts = { en: {} } }: FeatureParts,
  site: string
): Readonly<Record<string, ByLanguage<FeatureMailContent>>> {
  const translate = (mail: FeatureMail): ByLanguage<FeatureMailContent> => {
    const all = Object.entries(texts).map(
      ([language, own]) => [language, fillMail(mail, own, { site, language })] as const
    )
    return { ...Object.fromEntries(all), en: fillMail(mail, texts.en, { site, language: 'en' }) }
  }
  return Object.fromEntries(mails.map((mail) => [`mail-${id}-${mail.name}`, translate(mail)]))
}
