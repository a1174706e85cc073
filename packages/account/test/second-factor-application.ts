import { createHmac } from 'node:crypto'
import { type SecondFactorOptions, secondFactor } from '@postern/account/second-factor'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { getStep } from '../src/second-factor/totp.ts'
import {
  openApplication as openWithPasskeys,
  type PasskeyApplicationOptions,
  readOptions
} from './passkey-application.ts'
import {
  type Application,
  ada,
  base,
  createUser,
  findUser,
  first,
  type Strategy,
  signIn
} from './password-application.ts'
import type { Authenticator, CreationOptions } from './software-authenticator.ts'

export { type Application, ada, base, createUser, findUser, first, type Strategy, signIn }

export interface FactorApplicationOptions extends PasskeyApplicationOptions {
  /** `null` for an application without a second factor. */
  readonly secondFactor?: SecondFactorOptions | null
}

/** An application with a second factor, passkeys, passwords, and sign-in by email. */
export function openApplication(
  t: Parameters<typeof openWithPasskeys>[0],
  strategy: Strategy,
  { secondFactor: options, features = [], ...others }: FactorApplicationOptions = {}
): Promise<Application> {
  const own = options === null ? [] : [secondFactor(options)]
  return openWithPasskeys(t, strategy, { ...others, features: [...own, ...features] })
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a key, as an authenticator app reads it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll(' ', '')].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code of a step, as an authenticator app computes it. @see RFC 4226 §5.3 */
export function createCode(secret: Uint8Array, step: number, digits: number = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const value = (mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 10 ** digits
  return String(value).padStart(digits, '0')
}

/** An authenticator app with one key. */
export interface App {
  readonly secret: Buffer
  /** @param offset - Seconds by which its clock differs. */
  readonly code: (offset?: number) => string
  /** A code that is none of those which are accepted. */
  readonly wrongCode: () => string
}

export function createApp(key: string, clock: () => number): App {
  const secret = fromBase32(key)
  const code = (offset: number = 0): string => createCode(secret, getStep(clock() + offset * 1000))
  const wrongCode = (): string => {
    const right = [-60, -30, 0, 30, 60].map(code)
    return ['482915', '739206', '615874', '291653', '847362', '503917'].find((one) => !right.includes(one)) ?? ''
  }
  return { secret, code, wrongCode }
}

/** The key on a page that sets up an app. */
export const getKey = (page: BrowserResponse): string => page.html().querySelector('code')?.text ?? ''

/** Reads the key as a client that asks for JSON: a browser shows it once the mailed code was right. */
export async function readKey(browser: Browser, path: string = `${base}/verify/enroll`): Promise<string> {
  const { props } = await browser.json<{ readonly props: { readonly key: { readonly text: string } } }>(path)
  return props.key.text
}

/** Has the code mailed that a required enrollment needs. @returns The key. */
export async function mailAndReadKey(browser: Browser): Promise<string> {
  await browser.submit(`${base}/verify/enroll`, { send: 'mail' })
  return readKey(browser)
}

/** The recovery codes on a page. The parser leaves the elements in a `pre` as text. */
export const getRecoveryCodes = (page: BrowserResponse): readonly string[] =>
  (page.html().querySelector('pre')?.text ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
    .filter(Boolean)

export interface Enrolled {
  readonly app: App
  readonly recoveryCodes: readonly string[]
  readonly page: BrowserResponse
}

/** Starts to set up an app on the pages of the signed-in user. @returns The page, before a code is mailed. */
export const startEnrollment = async (browser: Browser): Promise<BrowserResponse> =>
  browser.follow(await browser.submit(`${base}/factors/totp/start`, {}))

/** Sends the form of the page that sets up an app. */
export const postEnrollment = (browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> =>
  browser.submit(`${base}/factors/totp`, values)

/** An app that waits for its confirmation. */
export interface StartedEnrollment {
  readonly app: App
  readonly form: BrowserResponse
  /** From the newest mail. */
  readonly mailCode: string
}

/** Starts to set up an app, and has the code mailed. */
export async function startWithMail(
  { clock, mailbox }: Pick<Application, 'clock' | 'mailbox'>,
  browser: Browser
): Promise<StartedEnrollment> {
  const form = await browser.fill(await startEnrollment(browser), `${base}/factors/totp`)
  const key = await readKey(browser, `${base}/factors/totp`)
  return { app: createApp(key, clock.now), form, mailCode: mailbox.last().code }
}

/** Sets up an app on the pages of the signed-in user, whose address is verified. */
export async function enroll(
  { clock, mailbox }: Pick<Application, 'clock' | 'mailbox'>,
  browser: Browser
): Promise<Enrolled> {
  const { app, form, mailCode } = await startWithMail({ clock, mailbox }, browser)
  const next = await browser.fill(form, 'form:has(input[name=mailCode])', { mailCode })
  const [link] = next.html().querySelectorAll('a[href$="?step=code"]')
  const last = await browser.open(link?.getAttribute('href') ?? '')
  const page = await browser.fill(last, `${base}/factors/totp`, { code: app.code() })
  // The code that has confirmed the key is used up.
  clock.advance(31)
  return { app, recoveryCodes: getRecoveryCodes(page), page }
}

/** Enters the newest mailed code on the page of passkeys. @returns The page that creates one. */
export async function openWithMailedCode(
  { mailbox }: Pick<Application, 'mailbox'>,
  browser: Browser
): Promise<BrowserResponse> {
  const path = `${base}/passkeys`
  const page = await browser.follow(await browser.fill(await browser.open(path), `${path}/code`))
  const mailCode = mailbox.last().code
  return browser.follow(await browser.fill(page, 'form:has(input[name=mailCode])', { mailCode }))
}

/** Adds a passkey that counts as two factors on the page of the signed-in user, with a mailed code. */
export async function addFactorPasskey(
  { mailbox }: Pick<Application, 'mailbox'>,
  browser: Browser,
  authenticator: Authenticator,
  values: Readonly<Record<string, string>> = {}
): Promise<BrowserResponse> {
  const page = await openWithMailedCode({ mailbox }, browser)
  const credential = authenticator.create(readOptions<CreationOptions>(page))
  return browser.fill(page, `${base}/passkeys`, { credential, ...values })
}

export interface FactorApplication extends Application, Enrolled {
  readonly browser: Browser
  readonly userId: string
}

/** An application whose user Ada has a second factor, in the browser that is signed in. */
export async function openWithFactor(
  t: Parameters<typeof openApplication>[0],
  strategy: Strategy,
  options: FactorApplicationOptions = {}
): Promise<FactorApplication> {
  const application = await openApplication(t, strategy, options)
  const browser = await createUser(application)
  const enrolled = await enroll(application, browser)
  const userId = (await findUser(application, ada))?.id ?? ''
  return { ...application, ...enrolled, browser, userId }
}

/** Answers the page that asks for a second factor. */
export const answer = (browser: Browser, values: Readonly<Record<string, string>>): Promise<BrowserResponse> =>
  browser.submit(`${base}/verify/factor`, values)

/** Signs in with the password of Ada, up to the second factor. */
export const signInWithPassword = (browser: Browser): Promise<BrowserResponse> => signIn(browser, ada, first)

/** Signs in with both factors of Ada, so that the session may change them. Each code works once. */
export async function signInWithBoth({ app, browser, clock }: FactorApplication): Promise<void> {
  clock.advance(31)
  await signInWithPassword(browser)
  await answer(browser, { code: app.code() })
  clock.advance(31)
}
