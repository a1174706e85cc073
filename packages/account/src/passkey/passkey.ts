import {
  type AccountKey,
  type AccountSection,
  type AccountState,
  type Feature,
  type FeatureContext,
  type FeatureError,
  type FeatureMail,
  type FeatureRoute,
  json,
  type SectionSummary
} from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { optionalMail } from '../mail/feature-mail.ts'
import { createMaySignUp, MailedSignUp } from '../mail/mailed-sign-up.ts'
import { accessNeeds, factorNeeds, ticketNeeds } from '../needs.ts'
import { bindRoutes } from '../routes.ts'
import { createSignUpForm, findSignUpFormProblems } from '../sign-up-form/options.ts'
import { addPasskey, sendCode, sendCreationOptions } from './add.ts'
import { eventTypes } from './event-types.ts'
import { showList } from './list.ts'
import { isInstalled } from './load-webauthn.ts'
import { remove, rename, showOne } from './manage.ts'
import type { PasskeyChange } from './notices.ts'
import { acceptOffer, findOffer, refuseOffer, showOffer } from './offer.ts'
import { type PasskeyOptions, schema } from './options.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { listPasskeys } from './passkeys.ts'
import { findRelyingPartyProblems } from './relying-party.ts'
import { screens } from './screens.ts'
import { signInScript } from './script.ts'
import { createSignInMethod, sendRequestOptions } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { signUpScreens } from './sign-up-screens.ts'
import { factorType, type Passkey } from './stored-passkey.ts'
import { type TextKey, texts } from './texts.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly passkey: PasskeyApi
  }
}

/** A passkey of a user, for the application. */
export interface PasskeyInfo
  extends Pick<Passkey, 'id' | 'credentialId' | 'aaguid' | 'transports' | 'createdAt' | 'lastUsedAt'> {
  /** `Passkey` if it has none, which the pages show in the language of the visitor. */
  readonly name: string
  /** Whether it is copied to other devices. */
  readonly isBackedUp: boolean
}

/** `app.postern.features.passkey` */
export interface PasskeyApi {
  /** Returns the passkeys of a user, the oldest first. */
  list(userId: string): Promise<readonly PasskeyInfo[]>
}

const mail = (name: PasskeyChange, subject: TextKey, text: TextKey): FeatureMail =>
  optionalMail<TextKey>(name, subject, text, { button: 'mailButton', emptyValues: { passkey: 'name' } })

const mails: readonly FeatureMail[] = [
  mail('added', 'mailAddedSubject', 'mailAddedText'),
  mail('removed', 'mailRemovedSubject', 'mailRemovedText'),
  mail('copied', 'mailCopiedSubject', 'mailCopiedText')
]

/** Nobody signs up without them. */
const signUpMails: readonly FeatureMail[] = [
  { name: 'sign-up', subject: 'mailSignUpSubject', text: 'mailSignUpText', button: 'mailSignUpButton' },
  { name: 'exists', subject: 'mailExistsSubject', text: 'mailExistsText', button: 'mailExistsButton' }
]

const refusal = (code: string, text: TextKey, next: TextKey): FeatureError => ({
  code,
  text,
  next,
  screen: 'signin',
  status: 401
})

/** The script of the sign-in page reports `PasskeyCancelled`, `PasskeyWrongDomain` and `PasskeyUnsupported`. */
const errors: readonly FeatureError[] = [
  refusal('PasskeyUnknown', 'unknownText', 'unknownNext'),
  refusal('PasskeyCancelled', 'cancelledText', 'cancelledNext'),
  refusal('PasskeyWrongDomain', 'domainText', 'domainNext'),
  refusal('PasskeyUnsupported', 'unsupportedText', 'unsupportedNext'),
  refusal('PasskeyFailed', 'failedText', 'failedNext'),
  refusal('PasskeyChanged', 'changedText', 'changedNext'),
  refusal('PasskeyExpired', 'expiredText', 'expiredNext')
]

const optionsPath = '/passkey/options'

function createRoutes(setup: PasskeySetup): readonly FeatureRoute[] {
  const { get, post } = bindRoutes(setup)
  const { relatedOrigins } = setup
  const data = { access: 'anyone', answers: 'json' } as const
  return [
    get(optionsPath, sendRequestOptions, data),
    get('/passkeys', showList),
    post('/passkeys', addPasskey),
    post('/passkeys/code', sendCode),
    post('/passkeys/options', sendCreationOptions),
    get('/passkeys/:id', showOne),
    { ...post('/passkeys/:id', remove), method: 'DELETE' },
    get('/passkey/offer', showOffer),
    post('/passkey/offer', acceptOffer),
    post('/passkey/offer/refuse', refuseOffer),
    post('/passkeys/:id/rename', rename),
    post('/passkeys/:id/remove', remove),
    ...(relatedOrigins.length === 0
      ? []
      : [get('/.well-known/webauthn', async () => json({ origins: relatedOrigins }), data)])
  ]
}

function createSection({ authenticators }: PasskeySetup): AccountSection {
  return {
    id: 'passkeys',
    order: 300,
    title: 'passkeys',
    path: '/passkeys',
    reads: ['listFactors'],
    // Those of an application with Auth.js are not among the factors.
    ...(authenticators === null && { summary: summarize })
  }
}

/** The names of the passkeys. */
function summarize({ factors }: AccountState): SectionSummary {
  const passkeys = factors.filter((factor) => factor.type === factorType)
  const names = passkeys.map(({ name }) => name || 'Passkey')
  return names.length === 0 ? { text: 'summaryNone' } : { text: 'summary', values: { names: names.join(', ') } }
}

const toInfo = (passkey: Passkey): PasskeyInfo => {
  const { id, credentialId, name, aaguid, transports, isBackedUp, createdAt, lastUsedAt } = passkey
  return { id, credentialId, name: name || 'Passkey', aaguid, transports, isBackedUp, createdAt, lastUsedAt }
}

/** Whether a passkey is left if an account is removed: one of Auth.js goes with its account. */
const isLeft =
  (removed: AccountKey | null) =>
  ({ source }: Passkey): boolean =>
    source.kind === 'factor' ||
    source.account.provider !== removed?.provider ||
    source.account.providerAccountId !== removed.providerAccountId

function createSetup(context: FeatureContext, options: PasskeyOptions): PasskeySetup {
  const { rpId = null, relatedOrigins = [], appOrigins = [] } = options
  const { userVerification = 'preferred', authenticators = null, signUp = false } = options
  return {
    feature: 'passkey',
    context,
    rpId,
    relatedOrigins,
    appOrigins,
    userVerification,
    authenticators,
    maySignUp: createMaySignUp(signUp, context),
    ...createSignUpForm(options, context)
  }
}

/**
 * Sign-in with passkeys (WebAuthn), and a page on which users add, rename and remove them.
 *
 * It is passed to `providers`, and requires the package `@simplewebauthn/server`.
 */
export function passkey(options: PasskeyOptions = {}): Feature<PasskeyApi> {
  const { rpId = null, relatedOrigins = [], appOrigins = [], signUp = false, offer = true } = options
  return {
    id: 'passkey',
    options,
    schema,
    needs: [...ticketNeeds, ...factorNeeds, ...accessNeeds],
    endsSessions: true,
    needsRecentSignIn: true,
    check: ({ origin }) => [
      ...findRelyingPartyProblems(origin, { rpId, relatedOrigins, appOrigins }),
      ...findSignUpFormProblems(options),
      ...(isInstalled() ? [] : ['expected the package @simplewebauthn/server; install it'])
    ],
    setup: (context) => {
      const setup = createSetup(context, options)
      const signUps = signUp ? new MailedSignUp(createSignUp(setup)) : null
      const list: PasskeyApi['list'] = async (userId) => (await listPasskeys(userId, setup)).map(toInfo)
      const api: PasskeyApi = Object.assign(new AccountPart({ passkeys: setup }), { list })
      return {
        eventTypes,
        screens: signUp ? [...screens, ...signUpScreens] : screens,
        texts,
        mails: signUp ? [...mails, ...signUpMails] : mails,
        errors,
        routes: [...createRoutes(setup), ...(signUps?.routes ?? [])],
        signInMethods: [createSignInMethod(setup), ...(signUps ? [signUps.method] : [])],
        signInPage: {
          script: signInScript,
          connect: [optionsPath],
          identifierAttributes: { autocomplete: 'username webauthn' },
          links: signUp ? [{ title: 'createAccount', path: '/passkey/sign-up', purpose: 'sign-up' }] : []
        },
        accountSections: [createSection(setup)],
        ...(offer && { pageAfterSignIn: (signIn, request) => findOffer(signIn, request, setup) }),
        waysIn: async (userId, removed) => (await listPasskeys(userId, setup)).filter(isLeft(removed)).length,
        exportData: async (userId) => (await listPasskeys(userId, setup)).map(toInfo),
        api
      }
    }
  }
}
