import type { Page, SignInOption } from '@postern/core'
import * as sample from '../samples.ts'

const provider = (id: string, name: string, style: { bg: string; text: string } | null = null): SignInOption => ({
  type: 'oauth',
  id,
  name,
  action: `/api/auth/signin/${id}`,
  style
})

/** Ten sign-in methods: with buttons by their owners' rules, with drawings, with letters. */
export const providers: readonly SignInOption[] = [
  provider('google', 'Google'),
  provider('apple', 'Apple'),
  provider('microsoft-entra-id', 'Microsoft'),
  provider('facebook', 'Facebook'),
  provider('github', 'GitHub'),
  provider('gitlab', 'GitLab'),
  provider('discord', 'Discord'),
  provider('linkedin', 'LinkedIn', { bg: '#069', text: '#fff' }),
  provider('slack', 'Slack', { bg: '#000', text: '#fff' }),
  provider('acme', 'Acme')
]

const { signIn, verifyRequest, error } = sample
/** The element of a captcha, whose script does not run here. */
const captcha = { script: '/captcha.js', attributes: { class: 'cf-turnstile', 'data-sitekey': 'key' } }
const fields = [
  { name: 'username', label: 'User name', type: 'text', attributes: {} },
  { name: 'password', label: 'Password', type: 'password', attributes: {} },
  { name: 'remember', label: 'Stay signed in on this device', type: 'checkbox', attributes: {} }
]
const form: SignInOption = {
  type: 'credentials',
  id: 'credentials',
  name: 'Password',
  action: '/x',
  fields,
  identifier: 'username'
}
const manyFields: SignInOption = {
  ...form,
  name: 'Company account',
  identifier: 'email',
  fields: [
    { name: 'company', label: 'Company', type: 'text', attributes: { placeholder: 'Acme Corporation' } },
    { name: 'email', label: 'Email', type: 'email', attributes: {} },
    { name: 'password', label: 'Password', type: 'password', attributes: {} },
    { name: 'otp', label: 'One-time code', type: 'text', attributes: {} },
    { name: 'phone', label: 'Telephone', type: 'tel', attributes: { autocomplete: 'tel' } },
    { name: 'terms', label: 'I agree to the terms of use and the privacy policy', type: 'checkbox', attributes: {} }
  ]
}
const full = {
  ...signIn,
  choices: [...providers.slice(0, 3), sample.passkey, sample.email, sample.password],
  links: sample.links
}
const identifierFirst = { action: '/api/auth/signin', identifier: null }
const wrong = { action: '/api/auth/callback/email', csrfToken: 'token-1', length: 8, wrong: true }

/** Every screen, each with and without what may go wrong on it, by a name for its picture. */
export const screens: Readonly<Record<string, Page>> = {
  'sign-in': { ...signIn, choices: [...providers.slice(0, 3), sample.email] },
  'sign-in-all-ways': { ...signIn, choices: [...providers.slice(4, 5), sample.email, form] },
  'sign-in-ten-providers': { ...signIn, choices: providers },
  'sign-in-one-provider': { ...signIn, choices: providers.slice(4, 5) },
  'sign-in-email-only': { ...signIn, choices: [sample.email] },
  'sign-in-email-captcha': { ...signIn, choices: [{ ...sample.email, type: 'email', captcha }] },
  'sign-in-password-only': { ...signIn, choices: [form] },
  'sign-in-many-fields': { ...signIn, choices: [manyFields] },
  'sign-in-links': {
    ...signIn,
    choices: [form],
    links: [
      { href: '/api/auth/sign-up', text: { en: 'Create account' } },
      { href: '/api/auth/forgot', text: { en: 'Forgot password?' } }
    ]
  },
  'sign-in-password': { ...full, lastUsed: 'email' },
  'sign-in-many-ways': { ...full, choices: [...providers, ...full.choices], lastUsed: 'discord' },
  'sign-in-first-step': { ...full, identifierFirst },
  'sign-in-second-step': { ...full, identifierFirst: { ...identifierFirst, identifier: 'grace@example.com' } },
  'sign-in-continue': {
    ...full,
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
    signOutUrl: '/api/auth/signout'
  },
  'sign-in-expired': { ...full, error: 'SessionRequired', reason: 'session-expired' },
  'sign-in-wrong-email-or-password': {
    ...full,
    error: 'CredentialsSignin',
    failedForm: { providerId: 'password', identifier: 'grace@example.com' },
    ref: 'req-2f9c'
  },
  'sign-in-too-many-tries': {
    ...full,
    choices: [...providers.slice(0, 2), sample.email],
    error: 'RateLimited',
    retryAfter: 300,
    failedForm: { providerId: 'email', identifier: 'grace@example.com' }
  },
  'sign-in-nothing': { ...signIn, choices: [] },
  'sign-in-wrong-password': {
    ...signIn,
    choices: [providers[4], form].filter((method) => method !== undefined),
    error: 'CredentialsSignin',
    failedForm: { providerId: 'credentials', identifier: 'grace' },
    ref: 'req-2f9c'
  },
  'sign-in-wrong-email': { ...signIn, choices: [sample.email], error: 'EmailSignin', ref: 'req-2f9c' },
  'sign-in-invalid-email': {
    ...signIn,
    choices: [...providers.slice(0, 2), sample.email],
    error: 'EmailSignin',
    reason: 'invalid',
    failedForm: { providerId: 'email', identifier: 'ada@example' },
    ref: 'req-2f9c'
  },
  'sign-in-not-linked': { ...signIn, choices: providers.slice(0, 3), error: 'OAuthAccountNotLinked', ref: 'req-2f9c' },
  'sign-in-cancelled': { ...signIn, choices: providers.slice(0, 3), error: 'OAuthCallback', reason: 'cancelled' },
  'sign-in-required': { ...signIn, choices: providers.slice(0, 3), error: 'SessionRequired' },
  'sign-in-signed-out': {
    ...signIn,
    choices: providers.slice(0, 3),
    error: 'SessionRequired',
    reason: 'signed-out'
  },
  'step-up': sample.stepUp,
  'step-up-repeat': { ...sample.stepUp, choices: [...providers.slice(0, 2), form], stepUp: { mustRepeat: true } },
  'step-up-unmet': { ...sample.stepUp, choices: providers.slice(4, 6), error: 'UnmetRequirements', ref: 'req-2f9c' },
  'step-up-different-user': { ...sample.stepUp, choices: [manyFields], error: 'DifferentUser', ref: 'req-2f9c' },
  'step-up-mail': { ...sample.stepUpByMail, choices: providers.slice(0, 2) },
  'step-up-mail-only': { ...sample.stepUpByMail, choices: [] },
  'step-up-nothing': { ...sample.stepUp, choices: [] },
  'sign-out': sample.signOut,
  'verify-request': { ...verifyRequest, identifier: null, code: null, resend: null },
  'verify-request-code': verifyRequest,
  'verify-request-code-only': { ...verifyRequest, link: false },
  'verify-request-last-tries': { ...verifyRequest, code: { ...wrong, triesLeft: 2 }, ref: 'req-2f9c' },
  'verify-request-spent': { ...verifyRequest, code: null, isSpent: true, ref: 'req-2f9c' },
  'verify-request-wrong-code': { ...verifyRequest, code: wrong, ref: 'req-2f9c' },
  confirm: sample.confirm,
  'error-default': error,
  'error-access-denied': { ...error, error: 'AccessDenied' },
  'error-verification': { ...error, error: 'Verification' },
  'error-user-suspended': { ...error, error: 'UserSuspended' },
  'error-not-found': { ...error, error: 'NotFound' },
  'error-configuration': { ...error, error: 'Configuration' },
  'error-permission-required': { ...error, error: 'PermissionRequired' },
  'error-store-conflict': { ...error, error: 'StoreConflict' },
  'error-user-referenced': { ...error, error: 'UserReferenced' },
  'error-store-unavailable': { ...error, error: 'StoreUnavailable' },
  'error-rate-limited': { ...error, error: 'RateLimited', retryAfter: 61 },
  'start-again': sample.startAgain,
  'confirm-link': sample.confirmLink,
  'confirm-link-unknown-account': { ...sample.confirmLink, account: null },
  'other-user': sample.otherUser,
  'other-user-long': {
    ...sample.otherUser,
    provider: 'Verwaltungsgemeinschaft Identitätsdienst',
    user: {
      name: 'Maximiliane-Alexandra von Schwarzenberg-Hohenlohe und zu Langenburg',
      email: 'a.very.long.address.of.many.parts@subdomain.of.a.rather.long.company.example.com'
    }
  },
  'used-link': sample.usedLink,
  welcome: sample.welcome
}

export function getScreen(name: string): Page {
  const screen = screens[name]
  if (!screen) throw new Error(`no screen ${name}`)
  return screen
}
