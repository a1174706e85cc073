import type { FeatureMail } from '@postern/core/feature'

/** A mail that a feature works without. @param more - What differs. */
export const optionalMail = <Key extends string>(
  name: string,
  subject: Key,
  text: Key,
  more: Partial<FeatureMail> & { readonly button?: Key } = {}
): FeatureMail => ({ name, subject, text, isOptional: true, ...more })
