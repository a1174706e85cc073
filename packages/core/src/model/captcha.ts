import type { Awaitable } from './awaitable.ts'
/** A test that tells people and programs apart, such as Turnstile, hCaptcha or reCAPTCHA. */
export interface Captcha {
  /** The URL of its script. The option `contentSecurityPolicy` has to allow what the script loads. */
  readonly script: string
  /** The attributes of the element that the script fills: `class`, and those that begin with `data-`. */
  readonly attributes: Readonly<Record<string, string>>
  /** Returns whether the form was sent by a person. `client` is the IP address; `null` if it is unknown. */
  verify(form: { readonly body: Readonly<Record<string, unknown>>; readonly client: string | null }): Awaitable<boolean>
}

/** What a screen shows of it. */
export type ShownCaptcha = Pick<Captcha, 'attributes' | 'script'>

/** @returns What is wrong with the option. */
export function findCaptchaProblems(captcha: Captcha | null): readonly string[] {
  if (!captcha) return []
  const wrong = Object.keys(captcha.attributes).filter((name) => !/^(?:class|data-[a-z][a-z\d-]*)$/.test(name))
  return [
    ...(URL.canParse(captcha.script) && new URL(captcha.script).protocol === 'https:'
      ? []
      : ['expected an https URL as captcha.script']),
    ...wrong.map((name) => `expected class or data-* in captcha.attributes, got ${name}`)
  ]
}

/** @returns What the screen shows; `null` without a captcha. */
export const showCaptcha = (captcha: Captcha | null): ShownCaptcha | null =>
  captcha && { script: captcha.script, attributes: captcha.attributes }
