import { createSample, type ScreenSamples } from './sample.ts'

const challenge = createSample('challenge', {
  ...{ action: '#', methods: ['totp', 'recovery-code'], passkeyOptions: null },
  ...{ digits: 6, mail: 'none', mailCode: null, trustDays: 0, isTrustChosen: false, problem: null },
  ...{ account: 'a…@example.com', cancelAction: '#', mayChangeAccount: true, lostUrl: '#' }
})

const lostProps = { hasCodes: true, hasOtherWay: false, challengeUrl: '#', cancelAction: '#' }
const lost = createSample('lost', lostProps)
const lostFactor = createSample('lost-factor', { ...lostProps, hasCodes: false })

/** Looks like a QR code, but contains nothing. */
const finder = 'h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z'
const qrCode = {
  size: 29,
  path: `M4 4${finder}M18 4${finder}M4 18${finder}M13 5h2v3h-2zm1 6h9v1h-9zm5 4h3v6h-3zm-6 2h3v2h-3z`
}
const key = { text: 'JBSW Y3DP EHPK 3PXP', url: '#', qrCode }
const enroll = createSample('enroll', {
  ...{ action: '#', key, mail: 'none', step: 'key', isRequired: false, problem: null },
  ...{ listUrl: '#', cancelAction: null }
})
const required = { isRequired: true, listUrl: null, cancelAction: '#' }

const codes = [
  ...['4F7KQ-Z2M9X', 'B8T3W-HJ6PD', 'N5RCY-V1KGE', 'X9QAM-7DTS4', '2HV8C-0PKRM'],
  ...['G6WDZ-3TNYA', 'K1EJQ-S5BXF', '7MPVR-9CGH2', 'T4YAW-6NKD8', '0ZSFX-BQE3J']
]
const recoveryCodes = createSample('recovery-codes', { codes, action: null, listUrl: '#', isEnrollment: true })

const totp = { createdAt: '2030-01-02T18:45:00Z', lastUsedAt: '2030-01-31T11:59:00Z' }
const values = {
  ...{ totp, recoveryCodes: 10, areFew: false, startAction: null, removeAction: '#', codesAction: '#' },
  ...{ needsCode: true, verifyUrl: null, problem: null, accountUrl: '#' },
  ...{ appUrl: '#', codesUrl: '#', passkeys: null, listUrl: '#', addressUrl: null }
}
const factors = createSample('factors', values)
const app = createSample('app', values)
const codesLeft = createSample('codes', values)
const noFactor = { totp: null, recoveryCodes: null, removeAction: null, codesAction: null, needsCode: false }
const fixed = { removeAction: null, codesAction: null, needsCode: false }

/** Every screen of the second factor. */
export const secondFactorSamples: ScreenSamples = {
  'second-factor-challenge': challenge(),
  'second-factor-challenge-trust': challenge({ trustDays: 30 }),
  'second-factor-challenge-trust-wrong-code': challenge({ trustDays: 30, isTrustChosen: true, problem: 'codeWrong' }),
  'second-factor-challenge-wrong-code': challenge({ problem: 'codeWrong' }),
  'second-factor-challenge-wrong-recovery-code': challenge({ problem: 'recoveryWrong' }),
  'second-factor-challenge-mail': challenge({ mail: 'send', problem: 'exhausted' }),
  'second-factor-challenge-mailed': challenge({ mail: 'sent' }),
  'second-factor-challenge-passkey': challenge({ methods: ['passkey', 'recovery-code'], passkeyOptions: {} }),
  'second-factor-challenge-none': challenge({ methods: [] }),
  'second-factor-challenge-recovery-code': challenge({ methods: ['recovery-code'], problem: 'exhausted' }),
  'second-factor-challenge-step-up': challenge({ mayChangeAccount: false }),
  'second-factor-challenge-mail-right': challenge({ mail: 'sent', mailCode: 'BCDFGHJK', problem: 'codeWrong' }),
  'second-factor-lost': lost(),
  'second-factor-lost-no-codes': lostFactor(),
  'second-factor-lost-another-way': lostFactor({ hasOtherWay: true }),
  'second-factor-enroll': enroll(),
  'second-factor-enroll-code': enroll({ step: 'code' }),
  'second-factor-enroll-wrong-code': enroll({ step: 'code', problem: 'codeWrong' }),
  'second-factor-enroll-required': enroll(required),
  'second-factor-enroll-mail': enroll({ mail: 'send', step: 'mail' }),
  'second-factor-enroll-mail-required': enroll({ ...required, mail: 'send', step: 'mail' }),
  'second-factor-enroll-mailed': enroll({ mail: 'sent', step: 'mail', problem: 'mailWrong' }),
  'second-factor-recovery-codes': recoveryCodes(),
  'second-factor-recovery-codes-sign-in': recoveryCodes({ action: '#', listUrl: null }),
  'second-factor-recovery-codes-shown': recoveryCodes({ codes: [] }),
  'second-factor-recovery-codes-new': recoveryCodes({ isEnrollment: false }),
  'second-factor': factors(),
  'second-factor-off': factors({ ...noFactor, startAction: '#' }),
  'second-factor-few-codes': factors({ recoveryCodes: 2, areFew: true }),
  'second-factor-passkeys': factors({ passkeys: { count: 2, url: '#', areAsked: true } }),
  'second-factor-passkeys-not-asked': factors({ ...noFactor, passkeys: { count: 1, url: '#', areAsked: false } }),
  'second-factor-off-stale': factors({ ...noFactor, verifyUrl: '#' }),
  'second-factor-app': app(),
  'second-factor-app-no-codes': app({ recoveryCodes: 0 }),
  'second-factor-app-wrong-code': app({ problem: 'anyWrong' }),
  'second-factor-app-stale': app({ ...fixed, verifyUrl: '#' }),
  'second-factor-app-off': app({ ...noFactor, startAction: '#' }),
  'second-factor-codes': codesLeft(),
  'second-factor-codes-few': codesLeft({ recoveryCodes: 2, areFew: true }),
  'second-factor-codes-gone': codesLeft({ recoveryCodes: 0, areFew: true }),
  'second-factor-codes-wrong-code': codesLeft({ problem: 'exhausted' }),
  'second-factor-codes-none': codesLeft(noFactor),
  'second-factor-unverified': factors({ ...noFactor, problem: 'unverified', addressUrl: '#' }),
  'second-factor-unverified-no-mail': factors({ ...noFactor, problem: 'unverified' }),
  'second-factor-unavailable': {
    screen: 'unavailable',
    props: { title: 'unavailable', text: 'unavailableText', links: [{ label: 'toAccount', href: '#' }] }
  },
  'second-factor-required-changed': {
    screen: 'unavailable',
    props: { title: 'unavailable', text: 'changed', links: [{ label: 'signIn', href: '#' }] }
  }
}
