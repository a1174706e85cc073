import { type ActionResult, type FeatureRequest, showCaptcha } from '@postern/core/feature'
import type { SignUpFlow, SignUpPage } from '../mail/mailed-sign-up.ts'
import { hasProblems, showFields } from '../sign-up-form/sign-up-fields.ts'
import { readNewPassword } from './new-password.ts'
import { type PasswordSetup, passwordType } from './password-setup.ts'
import { codeField, emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { createStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What each page says, and the label of its button. */
const labels = {
  'sign-up': { text: 'signUpText', submit: 'continue' },
  'check-mail': { text: 'checkMailText', submit: 'continue' },
  confirm: { text: 'confirmText', submit: 'confirmSubmit' },
  choose: { text: 'chooseText', submit: 'confirmSubmit' }
} as const

function showPage(page: SignUpPage<TextKey>, request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const { name, action, text, email = null, field, choice, fields, problem = null, values = {} } = page
  const { basePath } = request
  const toField = field?.name === 'code' ? codeField : emailField
  const own = fields && showFields(setup.signUpFields, fields)
  return show(request, name, {
    text: text ?? labels[name].text,
    email,
    problem,
    texts: own?.texts,
    form: {
      action,
      submit: labels[name].submit,
      fields: [
        ...(field ? [toField(field.value, field.problem)] : []),
        ...(choice ? [newPasswordField('password', choice.problem, setup)] : [])
      ],
      ...(own && { ownFields: own.ownFields }),
      ...(name === 'sign-up' && { captcha: showCaptcha(setup.captcha) }),
      values
    },
    links:
      name === 'check-mail'
        ? [{ text: 'startAgain', href: `${basePath}/password/sign-up` }]
        : [{ text: 'signIn', href: `${basePath}/signin` }]
  })
}

/** A sign-up with a password. Without a page for it, only users with an unverified address get links. */
export function createSignUp(setup: PasswordSetup): SignUpFlow<string, TextKey> {
  const { hasSignUp, context, getHasher } = setup
  return {
    setup,
    name: 'Sign-up with a password',
    startPath: hasSignUp ? '/password/sign-up' : '/signin',
    existingText: 'confirmExisting',
    readCredential: async ({ email, fields }, request) => {
      const chosen = await readNewPassword(request, email ?? '', setup)
      if (chosen.kind === 'refused') return chosen
      if (email === null || hasProblems(fields)) return { problem: null }
      return { credential: await (await getHasher()).hash(chosen.password, request) }
    },
    toFactor: async (hash) => ({
      type: passwordType,
      name: null,
      data: createStoredPassword(hash, context.randomBytes)
    }),
    showPage: (page, request) => showPage(page, request, setup),
    showUsed: (request) => showDone(request, 'used'),
    showGone: (request) => showGone(request, hasSignUp ? '/password/sign-up' : '/password/forgot')
  }
}
