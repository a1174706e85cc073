import type { CredentialsConfig, EmailConfig, OAuthConfig, PosternOptions } from '@postern/core'
import {
  type Browser,
  type BrowserResponse,
  createIssuer,
  createMailbox,
  type Issuer,
  type Mailbox
} from '@postern/testkit'
import { origin, type Started, startPostern, type Test } from './postern.ts'

/** The options of the test application: any option, and changes to the providers. */
export interface TestOptions extends Partial<PosternOptions> {
  /** 1 where a test is about what one process remembers. */
  readonly instances?: number
  readonly issuer?: Parameters<typeof createIssuer>[0]
  readonly oauth?: Partial<OAuthConfig>
  readonly email?: Partial<EmailConfig>
  readonly credentials?: Partial<CredentialsConfig>
}

/** An application with all three sign-in methods. */
export interface SignInMethods extends Started {
  readonly issuer: Issuer
  readonly mailbox: Mailbox
  /** Signs in at the issuer; the response to the callback. */
  readonly byIssuer: (browser: Browser) => Promise<BrowserResponse>
  /** Asks for a mail, and opens its link; the first response that is not a success. */
  readonly byMail: (browser: Browser) => Promise<BrowserResponse>
  /** Posts the form; the response. */
  readonly byForm: (browser: Browser) => Promise<BrowserResponse>
}

const isFailure = ({ status, location }: BrowserResponse): boolean =>
  status >= 400 || (location ?? '').includes('error=')

export async function startTestSite(
  t: Test,
  { issuer: issuerOptions, oauth, email, credentials, ...options }: TestOptions
): Promise<SignInMethods> {
  const issuer = createIssuer(issuerOptions)
  const mailbox = createMailbox()
  const demo: OAuthConfig = {
    id: 'demo',
    name: 'Demo',
    type: 'oidc',
    issuer: issuer.issuer,
    clientId: issuer.clientId,
    clientSecret: issuer.clientSecret ?? undefined,
    // What the issuer states as verified is proven.
    hooks: { isEmailAuthority: () => true },
    ...oauth
  }
  const mail: EmailConfig = {
    id: 'email',
    name: 'Email',
    type: 'email',
    server: 'smtp://mail.test',
    from: 'a@app.test',
    ...email
  }
  const form: CredentialsConfig = {
    id: 'people',
    name: 'People',
    type: 'credentials',
    authorize: () => ({ id: 'ada', name: 'Ada', email: 'ada@form.test' }),
    ...credentials
  }
  const started = await startPostern(t, {
    providers: [demo, ...(options.adapter ? [mail] : []), form],
    ...options,
    runtime: { fetch: (url, init) => issuer.fetch(url, init), sendMail: mailbox.sendMail, ...options.runtime }
  })
  return {
    ...started,
    issuer,
    mailbox,
    byIssuer: async (browser) => {
      const response = await browser.submit('/api/auth/signin/demo', {})
      if (!response.location?.startsWith(issuer.issuer)) return response
      return browser.open(await issuer.authorize(response.location), { headers: { 'sec-fetch-site': 'cross-site' } })
    },
    byMail: async (browser) => {
      const mailResponse = await browser.submit('/api/auth/signin/email', { email: 'ada@mail.test' })
      if (isFailure(mailResponse) || mailResponse.location === origin) return mailResponse
      return browser.open(mailbox.last().url)
    },
    byForm: (browser) => browser.submit('/api/auth/callback/people', {})
  }
}
