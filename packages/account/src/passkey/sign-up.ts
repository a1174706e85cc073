import { type ActionResult, type FeatureRequest, showCaptcha } from '@postern/core/feature'
import type { SignUpFlow, SignUpPage } from '../mail/mailed-sign-up.ts'
import { hasProblems, showFields } from '../sign-up-form/sign-up-fields.ts'
import { getAuthenticatorName } from './authenticator-names.ts'
import { issueSignUpOptions } from './new-passkey.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findPasskey } from './passkeys.ts'
import { readNewPasskey } from './read-new-passkey.ts'
import { showGone, showSignUpScreen, showUsed } from './sign-up-screens.ts'
import { factorType, getPasskeyId, type PasskeyData } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The challenge of a new passkey was issued to a browser, not to a user. */
const purpose = { use: 'sign-up', userId: null } as const

/** The screen of each page, what it says, and the label of its button. */
const labels = {
  'sign-up': { screen: 'sign-up', text: 'signUpText', submit: 'createPasskey' },
  'check-mail': { screen: 'check-mail', text: 'checkMailText', submit: 'continue' },
  confirm: { screen: 'confirm', text: 'confirmText', submit: 'confirmSubmit' },
  choose: { screen: 'create', text: 'createText', submit: 'createPasskey' }
} as const

async function show(page: SignUpPage<TextKey>, request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { name, action, text, email = null, field = null, choice, fields, problem, values = {} } = page
  const { screen, submit, ...usual } = labels[name]
  const { basePath } = request
  const issued = choice ? await issueSignUpOptions(email, request, setup) : null
  const own = fields && showFields(setup.signUpFields, fields)
  return showSignUpScreen(request, screen, {
    text: text ?? usual.text,
    email,
    problem: problem ?? choice?.problem ?? null,
    texts: own?.texts,
    form: {
      action,
      submit,
      field,
      ...(own && { ownFields: own.ownFields }),
      ...(name === 'sign-up' && { captcha: showCaptcha(setup.captcha) }),
      options: issued?.options ?? null,
      values
    },
    link:
      name === 'check-mail'
        ? { text: 'startAgain', href: `${basePath}/passkey/sign-up` }
        : { text: 'toSignIn', href: `${basePath}/signin` },
    ...(issued && { cookies: issued.cookies })
  })
}

/** A sign-up with a passkey. */
export function createSignUp(setup: PasskeySetup): SignUpFlow<PasskeyData, TextKey> {
  return {
    setup,
    name: 'Sign-up with a passkey',
    startPath: '/passkey/sign-up',
    existingText: 'confirmUnused',
    readCredential: async ({ email, fields }, request) => {
      if (email === null || hasProblems(fields)) return { problem: null }
      const read = await readNewPasskey(purpose, request, setup)
      return 'problem' in read ? read : { credential: read.data }
    },
    toFactor: async (passkey) => {
      // It was added meanwhile.
      if (await findPasskey(passkey.credentialId, setup)) return null
      // The mailed link or code has proven the owner.
      const data = JSON.stringify({ ...passkey, isOwnerProven: true })
      const name = await getAuthenticatorName(passkey.aaguid)
      return { type: factorType, id: getPasskeyId(passkey.credentialId), name, data }
    },
    showPage: (page, request) => show(page, request, setup),
    showUsed,
    showGone
  }
}
