import type { ByLanguage, FeatureMailContent } from '@postern/core'
import type { FeatureMail, FeatureParts } from '@postern/core/feature'

type Texts = Readonly<Record<string, string>>

const values: Texts = {
  time: '2030-01-31 12:00:00 UTC',
  date: '2030-03-02 12:00:00 UTC',
  client: '192.0.2.1',
  device: 'Firefox (Linux)',
  provider: 'GitHub',
  code: 'KMPTRBZX',
  passkey: 'iCloud Keychain',
  left: '7'
}

function fillMail({ subject, text, button }: FeatureMail, texts: Texts, site: string): FeatureMailContent {
  const fill = (key: string): string =>
    (texts[key] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => ({ ...values, site })[name] ?? whole)
  return {
    subject: fill(subject),
    paragraphs: fill(text).split('\n'),
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
    const all = Object.entries(texts).map(([language, own]) => [language, fillMail(mail, own, site)] as const)
    return { ...Object.fromEntries(all), en: fillMail(mail, texts.en, site) }
  }
  return Object.fromEntries(mails.map((mail) => [`mail-${id}-${mail.name}`, translate(mail)]))
}
