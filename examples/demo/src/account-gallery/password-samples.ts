import { createSample, type ScreenSamples } from './sample.ts'
import { captcha, ownFields, wrongFields } from './sign-up-form-samples.ts'

const field = { value: '', problem: null, hint: null, minLength: null }
const email = { ...field, name: 'email', label: 'email', autocomplete: 'username' }
const currentPassword = {
  ...{ ...field, name: 'currentPassword', label: 'currentPassword' },
  autocomplete: 'current-password'
}
const newPassword = {
  ...{ ...field, name: 'password', label: 'newPassword', autocomplete: 'new-password' },
  ...{ hint: 'passwordHint', minLength: 15 }
}
const code = { ...field, name: 'code', label: 'code', autocomplete: 'one-time-code' }

const toForm = (submit: string, fields: readonly object[]) => ({
  ...{ action: '#', submit, fields, values: {} },
  ...{ ownFields: [], captcha: null }
})
const toScreen = (screen: string, title: string, text: string, submit: string, fields: readonly object[]) =>
  createSample(screen, { title, text, email: null, problem: null, links: [], form: toForm(submit, fields) })

const signIn = [{ text: 'signIn', href: '#' }]
const toAccount = [{ text: 'toAccount', href: '#' }]
const startAgain = [{ text: 'startAgain', href: '#' }]
const ada = { email: 'ada@example.com' }

const signUp = toScreen('sign-up', 'createAccount', 'signUpText', 'continue', [
  email,
  { ...newPassword, label: 'password' }
])
const checkMail = toScreen('check-mail', 'checkMail', 'checkMailText', 'continue', [code])
const confirm = toScreen('confirm', 'confirm', 'confirmText', 'confirmSubmit', [])
const choose = toScreen('choose', 'choose', 'chooseText', 'confirmSubmit', [newPassword])
const forgot = toScreen('forgot', 'forgot', 'forgotText', 'continue', [email])
const reset = toScreen('reset', 'reset', 'resetText', 'save', [newPassword])
const change = toScreen('change', 'change', 'changeText', 'save', [currentPassword, newPassword])
const set = toScreen('set', 'set', 'setText', 'save', [newPassword])
const noForm = { form: null }

/** Every screen of passwords. */
export const passwordSamples: ScreenSamples = {
  'password-sign-up': signUp({ links: signIn }),
  'password-sign-up-problems': signUp({
    form: toForm('continue', [
      { ...email, value: 'ada@example', problem: 'emailInvalid' },
      { ...newPassword, label: 'password', problem: 'tooCommon' }
    ]),
    links: signIn
  }),
  'password-sign-up-own-fields': signUp({
    form: {
      ...toForm('continue', [email, { ...newPassword, label: 'password' }]),
      ...{ ownFields, captcha }
    },
    links: signIn
  }),
  'password-sign-up-own-fields-problems': signUp({
    ...{ problem: 'captchaFailed', links: signIn },
    form: {
      ...toForm('continue', [
        { ...email, value: 'ada@example.com' },
        { ...newPassword, label: 'password' }
      ]),
      ...{ ownFields: wrongFields, captcha }
    }
  }),
  'password-check-mail': checkMail({ ...ada, links: startAgain }),
  'password-check-mail-wrong-code': checkMail({
    ...{ ...ada, form: toForm('continue', [{ ...code, problem: 'codeWrong' }]) },
    links: startAgain
  }),
  'password-check-mail-reset': checkMail({ ...ada, ...noForm, text: 'checkMailReset', links: startAgain }),
  'password-confirm': confirm({ ...ada, links: signIn }),
  'password-confirm-existing': confirm({ ...ada, text: 'confirmExisting', links: signIn }),
  'password-confirm-unused': confirm({ ...ada, text: 'confirmUnused', links: signIn }),
  'password-choose': choose({ ...ada, links: signIn }),
  'password-forgot': forgot({ links: signIn }),
  'password-reset': reset({ ...ada, links: signIn }),
  'password-change': change({ ...ada, links: toAccount }),
  'password-change-wrong': change({
    ...ada,
    form: toForm('save', [{ ...currentPassword, problem: 'currentWrong' }, newPassword]),
    links: toAccount
  }),
  'password-change-conflict': change({ ...ada, problem: 'conflict', links: toAccount }),
  'password-set': set({ ...ada, links: toAccount }),
  'password-changed': createSample('changed', {
    ...{ ...noForm, title: 'changed', text: 'changedText', email: null, problem: null },
    links: toAccount
  })(),
  'password-used': createSample('used', {
    ...{ ...noForm, title: 'used', text: 'usedText', email: null, problem: null },
    links: [{ text: 'signIn', href: '#' }]
  })(),
  'password-gone': createSample('gone', {
    ...{ ...noForm, title: 'gone', text: 'goneText', email: null, problem: null },
    links: startAgain
  })(),
  'password-unavailable': createSample('unavailable', {
    ...{ ...noForm, title: 'unavailable', text: 'unavailableText', email: null, problem: null },
    links: [{ text: 'confirm', href: '#' }, ...toAccount]
  })()
}
