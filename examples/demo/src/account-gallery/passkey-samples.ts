import { createSample, type ScreenSamples } from './sample.ts'
import { captcha, ownFields, wrongFields } from './sign-up-form-samples.ts'

const passkey = {
  ...{ id: '1', name: 'iCloud Keychain', createdAt: '2030-01-02T18:45:00Z', lastUsedAt: '2030-01-31T11:59:00Z' },
  ...{ isBackedUp: true, href: '#' }
}
const add = { action: '#', options: {}, mail: 'none', sendAction: '#' }
const accepted = [{ rpId: 'localhost', userId: '', allAcceptedCredentialIds: [] }]
const list = { passkeys: [], add, verifyUrl: null, problem: null, accepted, addressUrl: null, accountUrl: '#' }
const manyPasskeys = [
  passkey,
  { ...passkey, id: '2', name: '', lastUsedAt: null, isBackedUp: false },
  { ...passkey, id: '3', name: 'Auth.js', createdAt: null, lastUsedAt: null, href: null }
]

const passkeys = createSample('passkeys', list)
const one = createSample('passkey', { passkey, renameAction: '#', removeAction: '#', listUrl: '#', problem: null })
const signIn = createSample('sign-in', { action: '#', options: {}, callbackUrl: '#', signInUrl: '#' })
const offer = createSample('offer', {
  ...{ action: '#', refuseAction: '#', options: {}, callbackUrl: '#', isConditional: false, problem: null }
})

const toForm = (submit: string, change: object) => ({
  ...{ action: '#', submit, field: null, options: null, values: {} },
  ...{ ownFields: [], captcha: null },
  ...change
})
const toScreen = (screen: string, title: string, text: string, form: object | null) =>
  createSample(screen, { title, text, email: null, form, problem: null, link: null })

const email = { name: 'email', value: '', problem: null }
const code = { name: 'code', value: '', problem: null }
const startAgain = { text: 'startAgain', href: '#' }
const ada = { email: 'ada@example.com', link: { text: 'toSignIn', href: '#' } }

const signUp = toScreen(
  'sign-up',
  'createAccount',
  'signUpText',
  toForm('createPasskey', { field: email, options: {} })
)
const checkMail = toScreen('check-mail', 'checkMail', 'checkMailText', toForm('continue', { field: code }))
const confirm = toScreen('confirm', 'confirm', 'confirmText', toForm('confirmSubmit', {}))
const create = toScreen('create', 'createPasskey', 'createText', toForm('createPasskey', { options: {} }))

/** Every screen of passkeys. */
export const passkeySamples: ScreenSamples = {
  'passkey-sign-in': signIn(),
  'passkey-offer': offer(),
  'passkey-offer-problem': offer({ problem: 'expired' }),
  'passkeys-none': passkeys(),
  passkeys: passkeys({ passkeys: manyPasskeys }),
  'passkeys-mail': passkeys({ passkeys: [passkey], add: { ...add, mail: 'send' } }),
  'passkeys-mail-wrong-code': passkeys({ add: { ...add, mail: 'sent' }, problem: 'mailWrong' }),
  'passkeys-stale': passkeys({ passkeys: manyPasskeys, add: null, verifyUrl: '#' }),
  'passkeys-unverified': passkeys({ add: null, problem: 'unverified', addressUrl: '#' }),
  'passkeys-unverified-no-mail': passkeys({ add: null, problem: 'unverified' }),
  'passkeys-too-many': passkeys({ passkeys: manyPasskeys, add: null, problem: 'tooMany' }),
  passkey: one(),
  'passkey-name-missing': one({ passkey: { ...passkey, name: '' }, problem: 'nameMissing' }),
  'passkey-last-way-in': one({ problem: 'lastWayIn' }),
  'passkey-unavailable': { screen: 'unavailable', props: { backUrl: '#', hasAccountPage: true } },
  'passkey-sign-up': signUp({ link: { text: 'toSignIn', href: '#' } }),
  'passkey-sign-up-problem': signUp({
    ...{ problem: 'expired', link: { text: 'toSignIn', href: '#' } },
    form: toForm('createPasskey', { field: { ...email, value: 'ada@example', problem: 'emailInvalid' }, options: {} })
  }),
  'passkey-sign-up-own-fields': signUp({
    link: { text: 'toSignIn', href: '#' },
    form: toForm('createPasskey', { field: email, options: {}, ownFields, captcha })
  }),
  'passkey-sign-up-own-fields-problems': signUp({
    link: { text: 'toSignIn', href: '#' },
    form: toForm('createPasskey', {
      ...{ field: { ...email, value: 'ada@example.com' }, options: {}, ownFields: wrongFields, captcha }
    })
  }),
  'passkey-check-mail': checkMail({ ...ada, link: startAgain }),
  'passkey-check-mail-wrong-code': checkMail({
    ...{ ...ada, link: startAgain },
    form: toForm('continue', { field: { ...code, problem: 'codeWrong' } })
  }),
  'passkey-confirm': confirm(ada),
  'passkey-confirm-unused': confirm({ ...ada, text: 'confirmUnused' }),
  'passkey-create': create(ada),
  'passkey-used': toScreen('used', 'used', 'usedText', null)({ link: { text: 'toSignIn', href: '#' } }),
  'passkey-gone': toScreen('gone', 'gone', 'goneText', null)({ link: startAgain })
}
