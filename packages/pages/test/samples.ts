import type { BuiltInPage as Page, PageContext, PageName, SignInOption, Theme } from '@postern/core'

export type PageOf<N extends PageName> = Extract<Page, { readonly name: N }>

export const plainTheme: Theme = {
  colorScheme: 'auto',
  logo: '',
  brandColor: '',
  buttonText: '',
  name: '',
  radius: '',
  font: '',
  links: { support: '' }
}

export function createPageContext(theme: Partial<Theme> = {}): PageContext {
  return {
    basePath: '/api/auth',
    origin: 'https://app.example.com',
    siteName: 'app.example.com',
    siteUrl: 'https://app.example.com',
    theme: { ...plainTheme, ...theme }
  }
}

export const github: SignInOption = {
  type: 'oauth',
  id: 'github',
  name: 'GitHub',
  action: '/api/auth/signin/github',
  style: { logo: '/github.svg', bg: '#24292f', text: '#fff' }
}

export const email: SignInOption = { type: 'email', id: 'email', name: 'Email', action: '/api/auth/signin/email' }

export const credentials: SignInOption = {
  type: 'credentials',
  id: 'credentials',
  name: 'Credentials',
  action: '/api/auth/callback/credentials',
  identifier: 'username',
  fields: [
    { name: 'username', label: 'Name', type: 'text', attributes: { placeholder: 'ada' } },
    { name: 'password', label: 'Password', type: 'password', attributes: {} }
  ]
}

const passwordField = { name: 'password', label: 'Password', type: 'password', attributes: {} }
const addressField = { name: 'email', label: 'Email address', type: 'email', attributes: {} }

/** The method of a feature that asks for an address and a password. */
export const password: SignInOption = {
  type: 'credentials',
  source: 'feature',
  id: 'password',
  name: 'Password',
  submit: 'Sign in',
  action: '/api/auth/callback/password',
  identifier: 'email',
  fields: [addressField, passwordField]
}

/** A form of the application that asks for an address too. */
export const ownPassword: SignInOption = {
  ...credentials,
  type: 'credentials',
  id: 'own',
  name: 'Company account',
  action: '/api/auth/callback/own',
  identifier: 'email',
  fields: [addressField, passwordField]
}

export const work: SignInOption = { ...email, id: 'work', name: 'Work', action: '/api/auth/signin/work' }

export const passkey: SignInOption = {
  type: 'oauth',
  id: 'passkey',
  name: 'Passkey',
  submit: 'Sign in with a passkey',
  action: '/api/auth/signin/passkey',
  style: null,
  symbol: 'passkey'
}

export const links: NonNullable<PageOf<'signin'>['links']> = [
  { href: '/api/auth/sign-up', text: { en: 'Create an account' }, purpose: 'sign-up', methods: ['password'] },
  { href: '/api/auth/forgot', text: { en: 'Forgot password?' }, purpose: 'recovery', methods: ['password'] }
]

export const choices: readonly SignInOption[] = [github, email, credentials]

const form = { csrfToken: 'token-1', callbackUrl: 'https://app.example.com/after?a=1&b=2' }

export const signIn: PageOf<'signin'> = { name: 'signin', ...form, choices, error: null, reason: null, ref: null }
export const stepUp: PageOf<'signin'> = {
  ...signIn,
  user: { name: 'Ada Lovelace', email: 'ada@example.com' },
  stepUp: { mustRepeat: false, backUrl: 'https://app.example.com/before' }
}
/** A user who may also confirm with a mailed code. */
export const stepUpByMail: PageOf<'signin'> = {
  ...stepUp,
  choices: [github],
  stepUp: { mustRepeat: false, mail: { action: '/api/auth/signin/mailed-code', address: 'ada@example.com' } }
}
export const signOut: PageOf<'signout'> = { name: 'signout', ...form, action: '/api/auth/signout' }
export const verifyRequest: PageOf<'verify-request'> = {
  name: 'verify-request',
  identifier: 'ada@example.com',
  link: true,
  code: { action: '/api/auth/callback/email', csrfToken: 'token-1', length: 8, wrong: false },
  resend: { action: '/api/auth/signin/email', csrfToken: 'token-1' },
  ref: null
}
export const confirm: PageOf<'confirm'> = {
  name: 'confirm',
  identifier: 'ada@example.com',
  action: '/api/auth/callback/email',
  fields: { csrfToken: 'token-1', token: 'abc', email: 'ada@example.com', callbackUrl: '/' }
}
export const error: PageOf<'error'> = {
  name: 'error',
  error: 'Default',
  signInUrl: 'https://app.example.com/api/auth/signin',
  retryAfter: null,
  ref: 'req-1'
}
export const startAgain: PageOf<'start-again'> = {
  name: 'start-again',
  provider: 'GitHub',
  action: '/api/auth/signin/github',
  ...form,
  ref: 'req-1'
}
export const confirmLink: PageOf<'confirm-link'> = {
  name: 'confirm-link',
  provider: 'GitHub',
  account: { name: 'Ada Lovelace', email: 'ada@example.com' },
  user: { name: 'Grace Hopper', email: 'grace@example.com' },
  action: '/api/auth/signin/github',
  csrfToken: 'csrf-token',
  callbackUrl: 'https://app.example.com/account',
  link: 'true'
}

export const otherUser: PageOf<'other-user'> = {
  ...startAgain,
  name: 'other-user',
  user: { name: 'Grace', email: 'grace@example.com' }
}
export const usedLink: PageOf<'used-link'> = {
  name: 'used-link',
  user: { name: 'Grace', email: 'grace@example.com' },
  callbackUrl: 'https://app.example.com/after'
}
export const welcome: PageOf<'welcome'> = { name: 'welcome', user: 'Ada', callbackUrl: '/start' }

/** Every screen, in every variant. */
export const pages: readonly Page[] = [
  signIn,
  { ...signIn, user: { name: 'Ada Lovelace', email: 'ada@example.com' } },
  { ...signIn, user: { name: null, email: 'ada@example.com' } },
  stepUp,
  { ...stepUp, user: { name: 'Ada Lovelace', email: null }, stepUp: { mustRepeat: true } },
  { ...stepUp, user: null },
  stepUpByMail,
  { ...stepUpByMail, choices: [] },
  { ...stepUp, choices: [github], error: 'UnmetRequirements', ref: 'req-2' },
  {
    ...stepUp,
    error: 'EmailSignin',
    failedForm: { providerId: 'email', identifier: 'ada@example' },
    ref: 'req-2'
  },
  { ...stepUp, choices: [github, email, credentials, passkey] },
  { ...signIn, choices: [] },
  { ...signIn, choices: [github], error: 'OAuthCallback', reason: 'cancelled', ref: 'req-2' },
  { ...signIn, error: 'CredentialsSignin', ref: 'req-2' },
  { ...signIn, error: 'EmailSignin', ref: 'req-2' },
  {
    ...signIn,
    error: 'EmailSignin',
    reason: 'invalid',
    failedForm: { providerId: 'email', identifier: 'ada@example' },
    ref: 'req-2'
  },
  {
    ...signIn,
    error: 'CredentialsSignin',
    failedForm: { providerId: 'credentials', identifier: 'ada' },
    ref: 'req-2'
  },
  { ...signIn, error: 'Default' },
  signOut,
  verifyRequest,
  { ...verifyRequest, code: null },
  { ...verifyRequest, identifier: null, code: null, resend: null },
  {
    ...verifyRequest,
    code: { action: '/api/auth/callback/email', csrfToken: 'token-1', length: 8, wrong: true },
    ref: 'req-3'
  },
  confirm,
  { ...confirm, fields: { csrfToken: 'token-1' } },
  error,
  { ...error, error: 'Configuration' },
  { ...error, error: 'AccessDenied' },
  { ...error, error: 'Verification' },
  { ...error, error: 'UserSuspended' },
  { ...error, error: 'NotFound' },
  { ...error, error: 'PermissionRequired' },
  { ...error, error: 'StoreConflict' },
  { ...error, error: 'UserReferenced' },
  { ...error, error: 'StoreUnavailable', ref: null },
  { ...error, error: 'RateLimited' },
  { ...error, error: 'RateLimited', retryAfter: 61 },
  startAgain,
  confirmLink,
  { ...confirmLink, account: null },
  { ...startAgain, ref: null },
  otherUser,
  { ...otherUser, user: { name: null, email: 'grace@example.com' } },
  { ...otherUser, user: { name: 'Grace', email: null } },
  { ...otherUser, user: { name: null, email: null }, ref: null },
  usedLink,
  { ...usedLink, user: { name: null, email: null } },
  welcome,
  { ...welcome, user: null }
]
