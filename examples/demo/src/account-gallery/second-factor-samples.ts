import { createSample, type ScreenSamples } from './sample.ts'

const challenge = createSample('challenge', {
  ...{ action: '#', methods: ['totp', 'recovery-code'], passkeyOptions: null },
  ...{ mail: 'none', trustDays: 0, problem: null }
})

/** Looks like a QR code, but contains nothing. */
const finder = 'h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z'
const qrCode = {
  size: 29,
  path: `M4 4${finder}M18 4${finder}M4 18${finder}M13 5h2v3h-2zm1 6h9v1h-9zm5 4h3v6h-3zm-6 2h3v2h-3z`
}
const key = { text: 'JBSW Y3DP EHPK 3PXP', url: '#', qrCode }
const enroll = createSample('enroll', { action: '#', key, mail: 'none', isRequired: false, problem: null })

const codes = ['4F7KQ-Z2M9X', 'B8T3W-HJ6PD', 'N5RCY-V1KGE', 'X9QAM-7DTS4']
const recoveryCodes = createSample('recovery-codes', { codes, action: null, listUrl: '#' })

const totp = { createdAt: '2030-01-02T18:45:00Z', lastUsedAt: '2030-01-31T11:59:00Z' }
const factors = createSample('factors', {
  ...{ totp, recoveryCodes: 10, areFew: false, startAction: null, removeAction: '#', codesAction: '#' },
  ...{ needsCode: true, verifyUrl: null, problem: null, accountUrl: '#' }
})
const noFactor = { totp: null, recoveryCodes: null, removeAction: null, codesAction: null, needsCode: false }
const fixed = { removeAction: null, codesAction: null, needsCode: false }

/** Every screen of the second factor. */
export const secondFactorSamples: ScreenSamples = {
  'second-factor-challenge': challenge(),
  'second-factor-challenge-trust': challenge({ trustDays: 30 }),
  'second-factor-challenge-wrong-code': challenge({ problem: 'codeWrong' }),
  'second-factor-challenge-wrong-recovery-code': challenge({ problem: 'recoveryWrong' }),
  'second-factor-challenge-mail': challenge({ mail: 'send', problem: 'exhausted' }),
  'second-factor-challenge-mailed': challenge({ mail: 'sent' }),
  'second-factor-challenge-passkey': challenge({ methods: ['passkey', 'recovery-code'], passkeyOptions: {} }),
  'second-factor-challenge-none': challenge({ methods: [] }),
  'second-factor-enroll': enroll(),
  'second-factor-enroll-required': enroll({ isRequired: true }),
  'second-factor-enroll-mail': enroll({ mail: 'send' }),
  'second-factor-enroll-mailed': enroll({ mail: 'sent', problem: 'mailWrong' }),
  'second-factor-recovery-codes': recoveryCodes(),
  'second-factor-recovery-codes-sign-in': recoveryCodes({ action: '#', listUrl: null }),
  'second-factor-recovery-codes-shown': recoveryCodes({ codes: [] }),
  'second-factor': factors(),
  'second-factor-off': factors({ ...noFactor, startAction: '#' }),
  'second-factor-few-codes': factors({ recoveryCodes: 2, areFew: true }),
  'second-factor-wrong-code': factors({ problem: 'anyWrong' }),
  'second-factor-stale': factors({ ...fixed, verifyUrl: '#' }),
  'second-factor-unverified': factors({ ...noFactor, problem: 'unverified' }),
  'second-factor-unavailable': {
    screen: 'unavailable',
    props: { title: 'unavailable', text: 'unavailableText', signInUrl: null }
  },
  'second-factor-required-changed': {
    screen: 'unavailable',
    props: { title: 'unavailable', text: 'changed', signInUrl: '#' }
  }
}
