import type { Texts } from './texts.ts'

// The texts of errors in English. Those of another language are in its file, such as `de.ts`.

export const enProblems: Texts['problems'] = {
  Signin: {
    text: 'The sign-in could not be completed.',
    next: 'Try again, or sign in with a different account.'
  },
  OAuthSignin: {
    text: 'The sign-in could not be started.',
    next: 'Try again in a moment, or sign in with a different account.'
  },
  OAuthCallback: {
    text: 'The answer of the sign-in service could not be accepted.',
    next: 'Try again, or sign in with a different account.'
  },
  OAuthCreateAccount: {
    text: 'An account could not be created for you.',
    next: 'Try again in a moment, or sign in with a different account.'
  },
  EmailCreateAccount: {
    text: 'An account could not be created for this email address.',
    next: 'Try again in a moment, or use a different address.'
  },
  Callback: {
    text: 'Something went wrong while you were being signed in.',
    next: 'Try again, or sign in with a different account.'
  },
  OAuthAccountNotLinked: {
    text: 'This is not the account you used here before.',
    next: 'To confirm your identity, sign in with the same account you used originally.'
  },
  EmailSignin: {
    text: 'The email could not be sent.',
    next: 'Check the address and try again in a moment.'
  },
  CredentialsSignin: {
    text: 'Sign in failed.',
    next: 'Check the details you provided are correct.'
  },
  SessionRequired: {
    text: 'Please sign in to access this page.',
    next: 'You will come back to it afterwards.'
  },
  UnmetRequirements: {
    text: 'Your way of signing in did not confirm enough.',
    next: 'Sign in there again, or use another way.'
  },
  DifferentUser: {
    text: 'This account belongs to someone else, or to nobody here.',
    next: 'Use an account of the user who is signed in, or sign out first.'
  },
  Default: {
    text: 'Unable to sign in.',
    next: 'Try again, or sign in with a different account.'
  }
}

export const enReasons: Texts['reasons'] = {
  'session-expired': {
    text: 'Your session has expired.',
    next: 'Sign in again.'
  },
  'signed-out': {
    text: 'You are signed out.',
    next: 'Sign in again to continue.'
  },
  invalid: {
    text: 'Enter a valid email address.',
    next: 'Check it for typing errors.'
  },
  'non-ascii': {
    text: 'Email addresses with letters such as ä or é before the @ are not supported.',
    next: 'Use another address.'
  },
  captcha: {
    text: 'The check that you are a person failed.',
    next: 'Try again.'
  },
  cancelled: {
    text: 'You canceled the sign-in.',
    next: 'Nothing has happened. Sign in whenever you are ready.'
  },
  expired: {
    text: 'The sign-in took too long.',
    next: 'Please start again.'
  },
  unavailable: {
    text: 'The sign-in service does not answer at the moment.',
    next: 'Try again in a few minutes.'
  },
  misconfigured: {
    text: 'This way to sign in is not set up correctly.',
    next: 'Please tell the people who run this site.'
  }
}

export const enErrors: Texts['errors'] = {
  Configuration: {
    heading: 'Server error',
    text: 'There is a problem with the server configuration.',
    next: 'It is not your fault. Please try again later, or tell the people who run this site.',
    action: 'Back to sign in'
  },
  AccessDenied: {
    heading: 'Access denied',
    text: 'You do not have permission to sign in.',
    next: 'If you have another account, try that one.',
    action: 'Sign in'
  },
  PermissionRequired: {
    heading: 'No permission',
    text: 'You do not have permission for this.',
    next: 'If you have another account that has it, use that one.',
    action: 'Use another account'
  },
  Verification: {
    heading: 'Unable to sign in',
    text: 'The sign-in link is no longer valid. It may have been used already or it may have expired.',
    next: 'Sign in again to get a new one.',
    action: 'Sign in'
  },
  ImpersonationForbidden: {
    heading: 'Not as another user',
    text: 'You are signed in as another user. Only that user can do this.',
    next: 'Stop acting as this user, then sign in yourself.',
    action: 'Back to sign in'
  },
  UserSuspended: {
    heading: 'Account suspended',
    text: 'This account has been suspended, so you cannot sign in with it.',
    next: 'If you think this is a mistake, contact the people who run this site.',
    action: 'Back to sign in'
  },
  RateLimited: {
    heading: 'Too many tries',
    text: 'There were many tries within a short time, so we are taking a break to keep accounts safe.',
    next: 'Please wait a while, then try again.',
    action: 'Back to sign in'
  },
  StoreConflict: {
    heading: 'This does not fit',
    text: 'This site already has other data that contradicts it, so nothing was saved.',
    next: 'Please tell the people who run this site.',
    action: 'Back to sign in'
  },
  UserReferenced: {
    heading: 'Account still in use',
    text: 'This account cannot be deleted, because this site still has data that belongs to it. Nothing was deleted, and nothing has ended.',
    next: 'Please tell the people who run this site.',
    action: 'Back to sign in'
  },
  StoreUnavailable: {
    heading: 'Back in a moment',
    text: 'Signing in is not possible right now, because a part of this site does not answer.',
    next: 'You have not been signed out. Please try again in a minute.',
    action: 'Try again'
  },
  NotFound: {
    heading: 'Page not found',
    text: 'There is no page at this address.',
    next: 'It may be mistyped or out of date.',
    action: 'Back to sign in'
  },
  Default: {
    heading: 'Error',
    text: 'Something went wrong.',
    next: 'Please try again. If it happens once more, tell the people who run this site.',
    action: 'Sign in'
  }
}
