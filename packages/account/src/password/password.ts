import {
  type AccountSection,
  type Feature,
  type FeatureContext,
  type FeatureMail,
  type FeatureRoute,
  redirect,
  type SignInPageLink
} from '@postern/core/feature'
import { optionalMail } from '../mail/feature-mail.ts'
import { createMaySignUp, MailedSignUp } from '../mail/mailed-sign-up.ts'
import { accessNeeds, factorNeeds, oneTimeTicketNeeds } from '../needs.ts'
import { bindRoutes } from '../routes.ts'
import { createSignUpForm, findSignUpFormProblems } from '../sign-up-form/options.ts'
import { listKindsThatEndWith } from '../ticket-kinds.ts'
import { finishChangeForm, showChange } from './change.ts'
import { eventTypes } from './event-types.ts'
import { defaultMinLength, type PasswordOptions, schema } from './options.ts'
import { createGetHasher, isMalformed, type VerifyLegacy } from './password-hasher.ts'
import { findPassword, type PasswordSetup, passwordType, toPasswordWrite } from './password-setup.ts'
import { finishReset, showForgot, showReset, showResetSent, startReset } from './reset.ts'
import { screens, showDone } from './screens.ts'
import { createSignInMethod } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { createTexts, type TextKey } from './texts.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly password: PasswordApi
  }
}

/** `app.postern.features.password` */
export interface PasswordApi {
  /** Whether the user has a password. */
  has(userId: string): Promise<boolean>
  /**
   * Sets the password of a user by its hash, such as one of another program that `verifyLegacy` compares. An existing
   * password is replaced, and all sessions of the user end.
   *
   * @throws TypeError if no sign-in could compare the hash; Error if there is no such user.
   */
  setHash(userId: string, hash: string): Promise<void>
}

const mail = (name: string, subject: TextKey, text: TextKey, button: TextKey): FeatureMail =>
  optionalMail<TextKey>(name, subject, text, { button, isOptional: false })

/** @param hasSignUp - Otherwise, no mail leads to the page that creates an account. */
const createMails = (hasSignUp: boolean): readonly FeatureMail[] => [
  mail('sign-up', 'mailSignUpSubject', 'mailSignUpText', 'mailSignUpButton'),
  mail('exists', 'mailExistsSubject', 'mailExistsText', 'mailExistsButton'),
  mail('reset', 'mailResetSubject', 'mailResetText', 'mailResetButton'),
  mail('confirm', 'mailConfirmSubject', 'mailConfirmText', 'mailConfirmButton'),
  mail('unknown', 'mailUnknownSubject', 'mailUnknownText', hasSignUp ? 'mailUnknownButton' : 'mailExistsButton'),
  mail('changed', 'mailChangedSubject', 'mailChangedText', 'mailChangedButton')
]

function createRoutes(setup: PasswordSetup): readonly FeatureRoute[] {
  const { get, post } = bindRoutes(setup)
  const open = { access: 'anyone' } as const
  const mailed = { ...open, mailTo: 'email' }
  return [
    get('/password/forgot', showForgot, open),
    post('/password/forgot', startReset, mailed),
    get('/password/forgot/sent', showResetSent, open),
    get('/password/reset', showReset, open),
    post('/password/reset', finishReset, open),
    get('/password/changed', (request) => showDone(request, 'changed'), open),
    // Password managers lead users here: "A Well-Known URL for Changing Passwords" of the W3C.
    get(
      '/.well-known/change-password',
      async ({ origin, basePath }) => redirect(`${origin}${basePath}/password`),
      open
    ),
    get('/password', showChange),
    post('/password', finishChangeForm)
  ]
}

function createApi(context: FeatureContext, { verifyLegacy }: PasswordOptions): PasswordApi {
  return {
    has: async (userId) => (await findPassword(userId, context)) !== null,
    setHash: async (userId, hash) => {
      if (typeof hash !== 'string' || hash === '' || (!verifyLegacy && isMalformed(hash)))
        throw new TypeError('password.setHash: the hash is empty, malformed, or too expensive to compare')
      const outcome = await context.changeAccess(userId, async ({ user }) => {
        if (!user) return 'unknown'
        const known = await findPassword(userId, context)
        // The first password is another way in, such as one of another program. One that replaces another ends the sessions.
        return { ends: known ? 'others' : 'nothing', writes: [toPasswordWrite(userId, hash, known, context)] }
      })
      if (outcome === 'unknown') throw new Error('password.setHash: there is no such user')
      if (outcome !== 'changed') throw new Error('password.setHash: the password was changed by another request')
    }
  }
}

/** A password signs in with an address only. */
async function countWaysIn(userId: string, context: FeatureContext): Promise<number> {
  if (!(await findPassword(userId, context))) return 0
  return (await context.users.getUser(userId))?.email ? 1 : 0
}

/** The section of the account page. */
const accountSections: readonly AccountSection[] = [
  {
    id: 'password',
    order: 400,
    title: 'section',
    path: '/password',
    reads: ['listFactors'],
    summary: ({ factors }) => ({
      text: factors.some(({ type }) => type === passwordType) ? 'summarySet' : 'summaryNone'
    })
  }
]

/** The links of the sign-in page. */
const createLinks = (hasSignUp: boolean): readonly SignInPageLink[] => [
  ...(hasSignUp ? [{ title: 'createAccount', path: '/password/sign-up', purpose: 'sign-up' } as const] : []),
  { title: 'forgotPassword', path: '/password/forgot', purpose: 'recovery' }
]

function createSetup(context: FeatureContext, options: PasswordOptions): PasswordSetup {
  const { minLength = defaultMinLength, breached = null, verifyLegacy, signUp = true, remember = false } = options
  const verify: VerifyLegacy | null = verifyLegacy
    ? (...values) => context.withTimeout('verifyLegacy', () => verifyLegacy(...values))
    : null
  return {
    feature: 'password',
    context,
    policy: { minLength, breached },
    getHasher: createGetHasher('passwords', verify, context),
    ...createSignUpForm(options, context),
    asksToRemember: remember,
    hasSignUp: signUp !== false,
    maySignUp: createMaySignUp(signUp, context)
  }
}

/**
 * Sign-in by email address and password: sign-up, sign-in, forgotten passwords, and changes.
 *
 * It is passed to `providers`, and needs a mail server: the option `mailer`, or a provider for email.
 */
export function password(options: PasswordOptions = {}): Feature<PasswordApi> {
  const { minLength = defaultMinLength, links = true } = options
  return {
    id: 'password',
    options,
    schema,
    needs: [...oneTimeTicketNeeds, ...factorNeeds, ...accessNeeds],
    endsSessions: true,
    needsRecentSignIn: true,
    check: () => findSignUpFormProblems(options),
    setup: (context) => {
      const setup = createSetup(context, options)
      const { hasSignUp } = setup
      const signUps = new MailedSignUp(createSignUp(setup))
      return {
        eventTypes,
        screens,
        texts: createTexts(minLength),
        mails: createMails(hasSignUp),
        routes: [...(hasSignUp ? signUps.routes : []), ...createRoutes(setup)],
        signInMethods: [createSignInMethod(setup), signUps.method],
        signInPage: links ? { links: createLinks(hasSignUp) } : {},
        accountSections,
        waysIn: (userId) => countWaysIn(userId, context),
        exportData: async (userId) => ({ createdAt: (await findPassword(userId, context))?.createdAt ?? null }),
        addressRequests: listKindsThatEndWith('address', 'password'),
        hashedFactors: [passwordType],
        api: createApi(context, options)
      }
    }
  }
}
