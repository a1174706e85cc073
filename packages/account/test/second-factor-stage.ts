import { type Feature, type FeatureContext, redirect } from '@postern/core/feature'
import { type Browser, type BrowserResponse, createBrowser, fromFetch } from '@postern/testkit'
import type { Test } from 'tap'
import { describeKey } from '../src/second-factor/authenticator-key.ts'
import { createSecret, createTotpData, toSecret, totpKey } from '../src/second-factor/stored-totp.ts'
import { origin } from './password-application.ts'
import {
  type App,
  type Application,
  ada,
  answer,
  base,
  createApp,
  type FactorApplicationOptions,
  openApplication,
  type Strategy
} from './second-factor-application.ts'

/** An application whose users sign in without the price of a password. */
export interface Stage extends Application {
  readonly context: FeatureContext
  /** What `app.postern.signIn` has returned. */
  readonly outcomes: readonly string[]
  /** Creates a user with a verified address. */
  readonly addUser: (address: string) => Promise<string>
  /** Gives a user an authenticator app. */
  readonly addApp: (userId: string) => Promise<App>
  /** Signs in as `app.postern.signIn` does, without the price of a password. */
  readonly enter: (browser: Browser, userId: string, amr?: string) => Promise<BrowserResponse>
}

/**
 * An application whose users sign in without a password.
 *
 * @param open - Opens the application, which may have more than a second factor.
 */
export async function openStage(
  t: Test,
  strategy: Strategy = 'database',
  options: FactorApplicationOptions = {},
  open: typeof openApplication = openApplication
): Promise<Stage> {
  const contexts: FeatureContext[] = []
  const opened: Application[] = []
  const outcomes: string[] = []
  const own: Feature = {
    id: 'own',
    setup: (context) => {
      contexts.push(context)
      const run = async (request: Parameters<Application['auth']['signIn']>[0] & { body: object }) => {
        const { userId = '', amr = '' }: { userId?: string; amr?: string } = { ...request.body }
        const outcome = await opened[0]?.auth.signIn(request, userId, { amr: amr.split(' ').filter(Boolean) })
        outcomes.push(outcome?.kind ?? '')
        return redirect(outcome?.url ?? '', outcome?.cookies)
      }
      return { routes: [{ method: 'POST', path: '/own', access: 'anyone', run }] }
    }
  }
  const app = await open(t, strategy, { ...options, features: [own, ...(options.features ?? [])] })
  opened.push(app)
  const [context] = contexts
  if (!context) throw new Error('expected the context')
  const addUser = async (address: string): Promise<string> => {
    const user = { name: null, image: null, email: address, emailVerified: new Date(app.clock.now()) }
    return (await app.adapter.createUser?.(user as never))?.id ?? ''
  }
  const addApp = async (userId: string): Promise<App> => {
    const secret = createSecret(context.randomBytes)
    const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(app.clock.now()) }
    await context.factors.create({ ...totpKey(userId), ...about, data: createTotpData(secret, 0) })
    return createApp(describeKey(toSecret({ secret }).bytes, { issuer: '', account: '' }).text, app.clock.now)
  }
  const enter: Stage['enter'] = (browser, userId, amr = 'pwd') => {
    // A form that arrives in the millisecond in which the sessions end came before it.
    app.clock.advance(1)
    return browser.submit(`${base}/own`, { userId, amr })
  }
  return { ...app, context, outcomes, addUser, addApp, enter }
}

export interface AdaStage extends Stage {
  readonly userId: string
  readonly app: App
}

/** Ada has an authenticator app. */
export async function openAda(t: Test, strategy?: Strategy, options?: FactorApplicationOptions): Promise<AdaStage> {
  const stage = await openStage(t, strategy, options)
  const userId = await stage.addUser(ada)
  return { ...stage, userId, app: await stage.addApp(userId) }
}

/** A browser in which a user waits for the second factor. */
export async function wait({ newBrowser, enter, userId }: AdaStage): Promise<Browser> {
  const browser = newBrowser()
  await enter(browser, userId)
  return browser
}

/** A browser that has signed in with both factors. */
export async function admit(stage: AdaStage, values: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const browser = await wait(stage)
  await answer(browser, { code: stage.app.code(), ...values })
  stage.clock.advance(31)
  return browser
}

export const copy = ({ auth, clock }: Application, { cookies }: Browser): Browser =>
  createBrowser({ origin, send: fromFetch(auth.fetch), clock, cookies: cookies.clone() })

/** Another process or registration with the same users, clock and mails. */
export const openBeside = (
  t: Test,
  { adapter, clock, mailbox }: Application,
  options: FactorApplicationOptions = {}
): Promise<Stage> => {
  const runtime = { now: clock.now, sendMail: mailbox.sendMail }
  return openStage(t, 'database', { adapter, runtime, ...options })
}
