export const en = {
  /** The tag for dates. */
  locale: 'en',
  summaryOn: 'On',
  toAccount: 'Back to your account',
  summaryOff: 'Off',
  section: 'Two-step verification',
  factorsText:
    'With two-step verification, nobody who only knows your password, or only reads your email, can sign in.',
  app: 'Authenticator app',
  appAdded: 'Set up on {date}.',
  appUsed: 'Last used on {date}.',
  noApp: 'No authenticator app is set up.',
  start: 'Set up an authenticator app',
  remove: 'Remove authenticator app',
  removeText: 'Your recovery codes are removed too, and you are signed out everywhere else.',
  removeAlone: 'You are signed out everywhere else.',
  codesLeft: 'Recovery codes left: {left}.',
  codesFew: 'You have few recovery codes left. Create new ones.',
  codesMissing: 'You have no recovery codes. Create new ones.',
  createCodes: 'Create new recovery codes',
  createCodesText: 'Your current codes will stop working.',
  verify: 'Confirm that it is you to make changes',
  anyCode: 'Code from the app, or recovery code',

  enroll: 'Set up an authenticator app',
  enrollText: 'Add this key to an authenticator app on your phone: scan the QR code, or copy the key.',
  enrollRequired: 'This site requires two-step verification.',
  qrCode: 'QR code for the authenticator app',
  key: 'Key for the app',
  code: 'Code from the app',
  codeHint: '{digits} digits',
  confirm: 'Confirm',
  confirmAddress: 'Confirm your email address',
  mailText: 'First get a code by email, so that nobody but you can set up an app.',

  codes: 'Your recovery codes',
  codesText:
    'You can sign in with one of these codes instead of the app, for example if you lost your phone. Each works once. Keep them in a safe place: they are shown only now.',
  codesShown: 'Your recovery codes were already shown. If you did not save them, create new ones after you sign in.',
  codesDownload: 'Download',
  codesSaved: 'I have saved them',
  back: 'Two-step verification',

  challenge: 'Confirm that it is you',
  challengeText: 'Enter the code that your authenticator app shows now.',
  challengePasskey: 'Use your passkey to continue.',
  challengeOther: 'Use a passkey or a recovery code to continue.',
  challengeRecovery: 'Use a recovery code to continue.',
  challengeNone: 'Sign in another way, or contact the people who run this site.',
  exhaustedText: 'Many wrong codes were entered for your account, so a code by email is needed too.',
  continue: 'Continue',
  trust: 'Do not ask again in this browser for {days}',
  usePasskey: 'Use a passkey',
  needsScript: 'Passkeys need JavaScript and a browser that supports them.',
  useRecoveryCode: 'Use a recovery code',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Ten letters and digits',

  codeWrong: 'The code is wrong, was used before, or has expired. Enter the one that the app shows now.',
  recoveryWrong: 'This recovery code is wrong, or was used before.',
  anyWrong: 'The code is wrong, or was used before.',
  passkeyWrong: 'The passkey could not be used. Try again, or use another way.',
  passkeyChanged: 'This passkey has changed since it was added. Use another way, then remove it and add it again.',
  exhausted: 'Too many wrong codes were entered, so a code from the app is not enough.',
  expired: 'That took too long. Start again.',
  conflict: 'Two-step verification was changed by another request. Try again.',
  unverified: 'To set up two-step verification, verify your email address first.',

  unavailable: 'You cannot set up two-step verification',
  unavailableText: 'The account that you are signed in with is not stored here.',
  signIn: 'Sign in',

  step: 'Step {step} of 3',
  openApp: 'Open in your authenticator app',
  copy: 'Copy',
  copied: 'Copied',
  goBack: 'Back',
  codesPrint: 'Print',
  anotherAccount: 'Use another account',
  lost: 'I have lost my phone and my codes',
  lostTitle: 'Lost your phone and your codes?',
  lostFactor: 'Lost your phone or your passkey?',
  lostText: 'Look for the recovery codes first: in the file {file}, on paper, or in your password manager.',
  lostHelp:
    'If you cannot find them, contact the people who run this site. Once they have checked that it is you, they can turn off two-step verification for your account.',
  lostContact:
    'Contact the people who run this site. Once they have checked that it is you, they can turn off two-step verification for your account.',
  support: 'Contact support',
  recoveryCodes: 'Recovery codes',
  recoveryText: 'With a recovery code you can sign in if you have lost your phone. Each works once.',
  noCodes: 'You have no recovery codes yet.',
  passkeys: 'Passkeys',
  passkeysNotAsked:
    'Without an authenticator app, you are not asked for a passkey when you sign in another way. Set up an app to turn on two-step verification.',

  mailCodeSubject: 'Your code for {site}',
  mailCodeText:
    'Someone is signing in to your account at {site}, or setting up an authenticator app or a passkey for it. This code is needed to continue:\n{code}\nIf it is not you, do not give the code to anybody, and change what you sign in with.',
  mailAddedSubject: 'Two-step verification was turned on for your account at {site}',
  mailAddedText:
    'An authenticator app was set up for your account at {site} on {time}, from the IP address {client}.\nIf it was not you, contact the support of {site} now.',
  mailRemovedSubject: 'Two-step verification was turned off for your account at {site}',
  mailRemovedText:
    'The authenticator app and the recovery codes were removed from your account at {site} on {time}, from the IP address {client}.\nIf it was not you, sign in and set up an authenticator app now.',
  mailAppRemovedSubject: 'The authenticator app was removed from your account at {site}',
  mailAppRemovedText:
    'The authenticator app was removed from your account at {site} on {time}, from the IP address {client}.\nIf it was not you, sign in and set up an authenticator app now.',
  mailUsedSubject: 'A recovery code was used for your account at {site}',
  mailUsedText:
    'A recovery code of your account at {site} was used on {time}, from the IP address {client}. Recovery codes left: {left}.\nIf it was not you, sign in, change what you sign in with and create new recovery codes.',
  mailRenewedSubject: 'New recovery codes were created for your account at {site}',
  mailRenewedText:
    'New recovery codes were created for your account at {site} on {time}, from the IP address {client}. The earlier ones no longer work.\nIf it was not you, sign in, change what you sign in with and create new recovery codes.',
  mailResetSubject: 'Two-step verification of your account at {site} was reset',
  mailResetText:
    'The support of {site} removed the authenticator app and the recovery codes of your account on {time}. You are signed out everywhere.\nIf you did not ask for this, contact the support now.',
  mailButton: 'Check two-step verification'
}

export type TextKey = keyof typeof en
