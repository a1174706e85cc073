export const en = {
  name: 'Password',
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  signIn: 'Sign in',
  createAccount: 'Create an account',
  remember: 'Stay signed in',
  forgotPassword: 'Forgot password?',
  summarySet: 'Set',
  toAccount: 'Back to your account',
  summaryNone: 'Not set',
  section: 'Password',

  passwordHint: 'At least {minLength} characters. A sentence is easy to remember.',
  strengthShort: 'Too short',
  strengthFair: 'Fair password: a longer one is better.',
  strengthGood: 'Good password.',
  strengthStrong: 'Strong password.',

  checkMailReset: 'An email is on its way to this address. Open its link to continue.',

  confirmExisting: 'This signs you in to your account with this address.',
  confirmUnused:
    'This address has an account already. This signs you in to it; the password that you chose is not used.',
  choose: 'Choose a password',
  chooseText: 'This browser has not signed up. Choose the password of your new account.',

  forgot: 'Forgot your password?',
  forgotText: 'Enter your email address. You will get an email with a link to choose a new password.',
  reset: 'Choose a new password',
  resetText: 'You are signed out on every device. After that you can sign in with the new password.',
  save: 'Save password',

  change: 'Change password',
  changeText: 'You stay signed in here, and are signed out everywhere else.',
  set: 'Set a password',
  setText: 'Then you can sign in with your email address and this password too.',
  unavailable: 'You cannot set a password',
  unavailableText: 'A password needs a verified email address.',
  changed: 'Your password was changed',
  changedText: 'Use the new password from now on.',
  toSite: 'Continue',

  characters: 'The password contains a character that cannot be used.',
  tooShort: 'Use at least {minLength} characters.',
  tooLong: 'Use at most 256 characters.',
  tooCommon: 'This password is used by many people. Choose another one.',
  isAddress: 'Do not use your address or the name of the site as the password.',
  breached: 'This password is known from a data breach. Choose another one.',
  currentWrong: 'This is not your current password.',
  conflict: 'The password was changed by another request. Try again.',

  mailExistsText:
    'Someone signed up for {site} with this address, which has an account.\nSign in, or choose a new password if you forgot yours.\nIf it was not you, ignore this email. Nothing was changed.',
  mailResetSubject: 'Choose a new password for {site}',
  mailResetText:
    'Someone asked for a new password for your account at {site}.\nChoose it within an hour. You are then signed out on every device.\nIf it was not you, ignore this email. Your password remains as it is.',
  mailResetButton: 'Choose a new password',
  mailConfirmSubject: 'Sign in to {site}',
  mailConfirmText:
    'Someone asked for a new password for {site}. The address of this account is not verified yet.\nConfirm it within an hour to sign in. After that you can set a password.\nIf it was not you, ignore this email.',
  mailConfirmButton: 'Confirm email address',
  mailUnknownSubject: 'No account at {site}',
  mailUnknownText:
    'Someone asked for a new password for {site}, but there is no account with this address.\nPerhaps you signed up with another one.\nIf it was not you, ignore this email.',
  mailUnknownButton: 'Create account',
  mailChangedSubject: 'Your password for {site} was changed',
  mailChangedText:
    'The password of your account at {site} was changed on {time}, from the IP address {client}.\nIf it was not you, choose a new password now. This signs out everybody else.',
  mailChangedButton: 'Choose a new password'
}

export type TextKey = keyof typeof en
