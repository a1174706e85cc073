export const en = {
  /** The tag for dates. */
  locale: 'en',
  name: 'Passkey',
  signIn: 'Sign in with a passkey',
  signInText: 'Your device asks for your fingerprint, your face or its screen lock.',
  needsScript: 'Passkeys need JavaScript and a browser that supports them.',
  otherWays: 'Other ways to sign in',
  noneHere: 'No passkey here? Use your phone, or another way.',
  usePhone: 'Use your phone',
  offer: 'Sign in faster next time',
  offerText: 'Create a passkey, and sign in with your fingerprint, your face or the screen lock of your device.',
  notNow: 'Not now',
  neverAsk: 'Do not ask again',

  summary: '{names}',
  toAccount: 'Back to your account',
  summaryNone: 'No passkey',
  passkeys: 'Passkeys',
  passkeysText: 'Sign in with your fingerprint, your face or the screen lock of your device instead of a password.',
  synced: 'Available on several devices.',
  local: 'On one device.',
  createdAt: 'Added on {date}.',
  usedAt: 'Last used on {date}.',
  add: 'Add a passkey',
  verify: 'Confirm that it is you to make changes',
  notCreated: 'No passkey was created: you canceled, or it took too long.',
  existsText: 'This device already has a passkey for your account.',
  existsNext: 'You can sign in with it.',
  expired: 'That took too long. Try again.',
  failed: 'The passkey could not be added. Passkeys need JavaScript and a browser that supports them.',
  exists: 'This passkey was added before.',
  tooMany: 'You have the maximum number of passkeys. Remove one to add another.',
  unverified: 'To add a passkey, verify your email address first.',
  mailText:
    'To use the passkey for two-step verification too, first get a code by email. Without the code, it is only a way to sign in.',

  label: 'Name',
  save: 'Save name',
  remove: 'Remove passkey',
  removeText: 'You are then signed out everywhere else. Delete the passkey on your device too.',
  nameMissing: 'Enter a name.',
  conflict: 'The passkey was changed by another request. Try again.',
  lastWayIn: 'This is your only way to sign in. Add another one before you remove it.',
  back: 'All passkeys',
  unavailable: 'You cannot have passkeys',
  unavailableText: 'The account that you are signed in with is not stored here.',

  unknownText: 'This passkey is not known here.',
  unknownNext: 'It may have been removed. Use another one, or sign in another way.',
  changedText: 'This passkey has changed since it was added.',
  changedNext: 'Sign in another way, remove it, and add it again.',
  expiredText: 'The sign-in with the passkey took too long.',
  expiredNext: 'Try again.',

  createAccount: 'Create an account with a passkey',
  createPasskey: 'Create a passkey',
  toSignIn: 'Sign in',

  confirmUnused:
    'This address has an account already. This signs you in to it; the passkey that you created is not used.',
  createText:
    'This browser has not signed up. Create the passkey of your new account here, or enter the code from the email in the browser that has.',

  mailAddedSubject: 'A passkey was added to your account at {site}',
  mailAddedText:
    'The passkey “{passkey}” was added to your account at {site} on {time}, from the IP address {client}.\nIf it was not you, remove it now. This signs out everybody else.',
  mailRemovedSubject: 'A passkey was removed from your account at {site}',
  mailRemovedText:
    'The passkey “{passkey}” was removed from your account at {site} on {time}, from the IP address {client}.\nIf it was not you, sign in and check the ways to sign in to your account.',
  mailCopiedSubject: 'A passkey for {site} may have been copied',
  mailCopiedText:
    'Somebody tried to sign in to {site} with the passkey “{passkey}” on {time}, from the IP address {client}. Its counter shows that there may be a copy of it, so the sign-in was refused.\nRemove this passkey, and add a new one.',
  mailButton: 'Check passkeys',

  mailExistsText:
    'Someone signed up for {site} with this address, which has an account.\nSign in the way you did before.\nIf it was not you, ignore this email. Nothing was changed.'
}

export type TextKey = keyof typeof en
