import type { Page, SignInOption } from '@postern/core'

const form = { csrfToken: '', callbackUrl: '/', action: '#' }
const ref = 'sample'

const provider = (id: string, name: string): SignInOption => ({ type: 'oauth', id, name, action: '#', style: null })
const email: SignInOption = { type: 'email', id: 'email', name: 'Email', action: '#' }
const password: SignInOption = {
  type: 'credentials',
  id: 'credentials',
  name: 'Password',
  action: '#',
  fields: [
    { name: 'username', label: 'Name', type: 'text', attributes: {} },
    { name: 'password', label: 'Password', type: 'password', attributes: {} }
  ]
}
const providers: readonly SignInOption[] = [
  provider('google', 'Google'),
  provider('apple', 'Apple'),
  provider('microsoft-entra-id', 'Microsoft'),
  provider('facebook', 'Facebook'),
  provider('github', 'GitHub'),
  provider('gitlab', 'GitLab'),
  provider('discord', 'Discord'),
  provider('spotify', 'Spotify'),
  provider('linkedin', 'LinkedIn'),
  provider('acme', 'Acme')
]

const { action, ...signInForm } = form
const signIn = { name: 'signin', ...signInForm, error: null, reason: null, ref: null } as const
const verifyRequest = { name: 'verify-request', identifier: 'ada@example.com', link: true, ref: null } as const
const error = { name: 'error', signInUrl: '#', retryAfter: null, ref } as const
const startAgain = { provider: 'GitHub', ref, ...form }

/** Every screen with sample data; its forms do not submit anything. */
export const samples: Readonly<Record<string, Page>> = {
  'sign-in': { ...signIn, choices: [...providers.slice(0, 3), email] },
  'sign-in-all-ways': { ...signIn, choices: [...providers.slice(4, 5), email, password] },
  'sign-in-ten-providers': { ...signIn, choices: providers },
  'sign-in-wrong-password': { ...signIn, choices: [password], error: 'CredentialsSignin', ref },
  'sign-in-cancelled': { ...signIn, choices: providers.slice(0, 3), error: 'OAuthCallback', reason: 'cancelled' },
  'sign-out': { name: 'signout', ...form },
  'verify-request': { ...verifyRequest, code: null },
  'verify-request-code': { ...verifyRequest, code: { action, csrfToken: '', length: 8, wrong: false } },
  'verify-request-code-only': {
    ...verifyRequest,
    link: false,
    code: { action, csrfToken: '', length: 8, wrong: false }
  },
  'verify-request-wrong-code': { ...verifyRequest, code: { action, csrfToken: '', length: 8, wrong: true } },
  confirm: { name: 'confirm', identifier: 'ada@example.com', action, fields: {} },
  'start-again': { name: 'start-again', ...startAgain },
  'other-user': { name: 'other-user', ...startAgain, user: { name: 'Grace Hopper', email: 'grace@example.com' } },
  'confirm-link': {
    name: 'confirm-link',
    ...startAgain,
    account: { name: 'Ada Lovelace', email: 'ada@example.com' },
    user: { name: 'Grace Hopper', email: 'grace@example.com' },
    link: 'true'
  },
  welcome: { name: 'welcome', user: 'Ada Lovelace', callbackUrl: '/' },
  'error-access-denied': { ...error, error: 'AccessDenied' },
  'error-verification': { ...error, error: 'Verification' },
  'error-user-suspended': { ...error, error: 'UserSuspended' },
  'error-permission-required': { ...error, error: 'PermissionRequired' },
  'error-not-found': { ...error, error: 'NotFound' },
  'error-configuration': { ...error, error: 'Configuration' },
  'error-rate-limited': { ...error, error: 'RateLimited', retryAfter: 61 },
  'error-store-unavailable': { ...error, error: 'StoreUnavailable' },
  'error-default': { ...error, error: 'Default' }
}
