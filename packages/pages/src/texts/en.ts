import { durations } from './duration.ts'
import { enErrors, enProblems, enReasons } from './en-errors.ts'
import type { Texts } from './texts.ts'

/** English. */
export const en: Texts = {
  lang: 'en',
  dir: 'ltr',
  unread: [],
  titles: {
    signin: 'Sign in',
    signout: 'Sign out',
    'verify-request': 'Check your email',
    confirm: 'Confirm sign-in',
    error: 'Error',
    'start-again': 'Start again',
    'other-user': 'Already signed in',
    'used-link': 'Already signed in',
    'confirm-link': 'Connect accounts',
    welcome: 'Welcome'
  },
  failed: (title) => `Error: ${title}`,
  reference: (id) => `Reference: ${id}`,
  support: 'Contact support',
  duration: durations('en', {
    second: { one: '# second', other: '# seconds' },
    minute: { one: '# minute', other: '# minutes' },
    hour: { one: '# hour', other: '# hours' },
    day: { one: '# day', other: '# days' }
  }),
  signIn: {
    heading: 'Sign in',
    lead: (siteName) => `to continue to ${siteName}`,
    submit: (provider) => `Sign in with ${provider}`,
    byEmail: 'Email me a sign-in link',
    byEmailInstead: 'Email me a sign-in link instead',
    byCode: 'Email me a sign-in code',
    byCodeInstead: 'Email me a sign-in code instead',
    byCredentials: 'Sign in with credentials',
    email: 'Email address',
    emailExample: 'email@example.com',
    or: 'or',
    none: 'There is no way to sign in here yet.',
    next: 'Continue',
    newHere: 'New here?',
    lastUsed: 'Last used',
    showPassword: 'Show password',
    more: 'More ways to sign in',
    continueAs: (user) => `Continue as ${user}`,
    anotherAccount: 'Use another account',
    wrongPassword: { text: 'Wrong email or password.', next: 'Check both and try again.' },
    limited: { text: 'Too many tries.', next: 'Or sign in another way now.' }
  },
  stepUp: {
    heading: 'Confirm that it is you',
    lead: 'To continue, sign in again with the same account.',
    repeat: 'Afterwards, send the form again.',
    mail: (address) => `Send a code to ${address}`,
    none: 'There is no way to confirm it here.',
    another: 'Another way',
    notNow: 'Not now',
    wrongPassword: { text: 'Wrong password.', next: 'Try again.' }
  },
  codes: {},
  problems: enProblems,
  reasons: enReasons,
  signOut: {
    heading: 'Sign out',
    question: 'Are you sure you want to sign out?',
    submit: 'Sign out',
    stay: 'Stay signed in'
  },
  verifyRequest: {
    heading: 'Check your email',
    link: 'A sign-in link has been sent to your email address.',
    mail: 'A sign-in email has been sent to your address. Open it, and come back here if you want to use its code.',
    codeOnly: 'A code has been sent to your email address. Enter it here to sign in.',
    codeElsewhere: 'A code has been sent by email. Enter it in the browser where you asked for it.',
    code: 'Code from the email',
    codeHint: (letters) => `${letters} letters. Capitals, spaces and dashes do not matter.`,
    wrong: { text: 'That code is not right.', next: 'Compare it with the newest email and try again.' },
    triesLeft: (left) => (left === 1 ? '1 try left.' : `${left} tries left.`),
    spent: 'Too many wrong codes, so this email no longer works.',
    sendNew: (address) => `Send a new one to ${address}`,
    submit: 'Sign in',
    missing: 'Nothing there after a minute? Look in your spam folder.',
    again: 'Ask for a new email',
    otherAddress: 'Use a different address'
  },
  confirm: {
    heading: 'Is this you?',
    lead: (siteName) => `You opened a link that signs in to ${siteName} as`,
    submit: 'Yes, sign me in',
    warning: 'If you did not ask for that email, close this page. Nobody has been signed in.'
  },
  errors: enErrors,
  wait: (duration) => `Please wait ${duration}, then try again.`,
  startAgain: {
    heading: 'Let’s start again',
    text: 'This sign-in took too long, or it was started in another browser. Nothing was changed.'
  },
  otherUser: {
    heading: 'You are already signed in',
    user: 'This browser is now signed in as',
    text: (provider) =>
      `You began to sign in with ${provider} before that, so it was stopped to keep the two apart. Go on as you are, or start again.`,
    stay: 'Go on as you are'
  },
  confirmLink: {
    heading: 'Connect this account?',
    user: 'You are signed in as',
    account: (provider) => `Your ${provider} account:`,
    text: (provider) =>
      `Once connected, anyone who can sign in to this ${provider} account can also sign in here. Continue only if both are yours.`,
    submit: 'Connect',
    stay: 'Not now'
  },
  toSite: (siteName) => `Back to ${siteName}`,
  usedLink: {
    heading: 'You are already signed in',
    user: 'You are signed in as',
    text: 'This sign-in link was used already or has expired. You no longer need it.',
    submit: 'Continue'
  },
  welcome: {
    heading: (user) => (user === null ? 'Welcome' : `Welcome, ${user}`),
    text: (siteName) => `Your account at ${siteName} is ready.`,
    submit: 'Continue'
  },
  mail: {
    subject: (siteName) => `Sign in to ${siteName}`,
    heading: (siteName) => `Sign in to ${siteName}`,
    identifier: 'You are signing in as',
    submit: 'Sign in',
    link: 'If the button does not work, open this address in your browser:',
    code: 'Enter this code on the page where you asked for this email:',
    orCode: 'Or enter this code on the page where you asked for this email:',
    expiry: (duration) => `Good for ${duration}, and only once.`,
    requested: (details) => `Requested: ${details}`,
    ignore: 'If you did not ask for this email, ignore it. Nobody can sign in without it.'
  }
}
