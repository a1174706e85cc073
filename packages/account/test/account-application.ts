import { type AccountPagesOptions, accountPages } from '@postern/account/pages'
import type { PosternOptions } from '@postern/core'
import { type Browser, type BrowserResponse, createIssuer, type Issuer, type Person } from '@postern/testkit'
import { type Application, base, origin, type Strategy } from './password-application.ts'
import { type FactorApplicationOptions, openApplication as openWithFactors } from './second-factor-application.ts'

export { addPasskey } from './passkey-application.ts'
export * from './password-application.ts'

type ProviderOptions = NonNullable<PosternOptions['providers']>[number]

export interface AccountApplicationOptions extends FactorApplicationOptions {
  readonly accountPages?: AccountPagesOptions
}

export interface AccountApplication extends Application {
  /** The provider `acme`. */
  readonly issuer: Issuer
}

/** An application with account pages, a second factor, passkeys, passwords, sign-in by email and a provider. */
export async function openAccountApplication(
  t: Parameters<typeof openWithFactors>[0],
  strategy: Strategy,
  { accountPages: options, features = [], providers = [], runtime, ...others }: AccountApplicationOptions = {}
): Promise<AccountApplication> {
  let now = Date.now
  const issuer = createIssuer({ clock: { now: () => now() } })
  const { issuer: url, clientId, clientSecret } = issuer
  const acme: ProviderOptions = {
    ...{ id: 'acme', name: 'Acme', type: 'oidc', issuer: url, clientId },
    ...(clientSecret === null ? {} : { clientSecret }),
    authorization: { params: { scope: 'openid email profile' } },
    // What the issuer states as verified is proven.
    hooks: { isEmailAuthority: () => true },
    assumeFresh: true,
    profile: ({ sub, name, email }) => ({
      id: String(sub),
      name: String(name),
      email: email === undefined ? null : String(email)
    })
  }
  const application = await openWithFactors(t, strategy, {
    ...others,
    runtime: { fetch: (address, init) => issuer.fetch(address, init), ...runtime },
    providers: [acme, ...providers],
    features: [accountPages(options), ...features]
  })
  now = runtime?.now ?? application.clock.now
  return { ...application, issuer }
}

/** Completes a sign-in, or a link, that a form has started at the provider. */
export async function comeBack(
  { issuer }: Pick<AccountApplication, 'issuer'>,
  browser: Browser,
  started: BrowserResponse,
  person?: Person
): Promise<BrowserResponse> {
  return browser.open((await issuer.authorize(started.location ?? '', person)).replace(origin, ''))
}

/** The titles of the rows of a page. */
export const getRows = (page: BrowserResponse): readonly string[] =>
  page
    .html()
    .querySelectorAll('.row-title')
    .map(({ text }) => text.trim())

/** The notice of a page. */
export const getNotice = (page: BrowserResponse): string | null =>
  page.html().querySelector('.notice')?.text.trim() ?? null

export const accountPath = `${base}/account`
