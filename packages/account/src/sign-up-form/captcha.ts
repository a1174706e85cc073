import type { Captcha, FeatureContext, FeatureRequest } from '@postern/core/feature'

/** Asks the captcha, before any other work. A function that returns anything but `true` refuses the form. */
export async function isByPerson(
  { body, client }: FeatureRequest,
  captcha: Captcha | null,
  { withTimeout }: FeatureContext
): Promise<boolean> {
  if (!captcha) return true
  return (await withTimeout('captcha.verify', () => captcha.verify({ body, client }))) === true
}
