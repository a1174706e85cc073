import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'

/** The texts of the forms of a sign-up that the features share. */
const en = {
  captchaFailed: 'The check that you are a person failed. Try again.',
  fieldInvalid: 'This is missing or invalid.',
  signUpText: 'You will get an email to confirm your address. The account is created after that.',
  email: 'Email address',
  checkMail: 'Check your email',
  checkMailText: 'An email is on its way to this address. Open its link, or enter the code from it here.',
  code: 'Code',
  continue: 'Continue',
  startAgain: 'Start again',
  emailLetters: 'Email addresses with letters such as ä or é before the @ are not supported.',
  emailInvalid: 'Enter an email address, such as ada@example.com.',
  codeWrong: 'This code is wrong. Check the latest email.',
  confirm: 'Confirm your email address',
  confirmText: 'This creates your account with this address and signs you in.',
  confirmSubmit: 'Confirm and sign in',
  gone: 'This link no longer works',
  goneText: 'It was used, has expired, or something changed since. Ask for a new one.',
  used: 'Already done',
  usedText: 'This link was used already. You no longer need it.',
  mailSignUpSubject: 'Confirm your email address for {site}',
  mailSignUpText:
    'Someone signed up for {site} with this address.\nConfirm the address within an hour to create the account. In the browser that you signed up with, you can also enter this code:\n{code}\nIf it was not you, ignore this email. No account is created.',
  mailSignUpButton: 'Confirm email address',
  mailExistsSubject: 'You already have an account at {site}',
  mailExistsButton: 'Sign in'
}

export type FormTextKey = keyof typeof en

export const formTexts: TextsByLanguage<FormTextKey> = createTexts('signUpForm', en)
