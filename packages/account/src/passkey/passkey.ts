import {
  type AccountSection,
  type AccountState,
  type Feature,
  type FeatureError,
  type FeatureMail,
  type FeatureRoute,
  json,
  type SectionSummary
} from '@postern/core/feature'
import { createMaySignUp } from '../mail/mailed-sign-up.ts'
import { addPasskey, sendCode, sendCreationOptions } from './add.ts'
import { eventTypes } from './event-types.ts'
import { showList } from './list.ts'
import { isInstalled } from './load-webauthn.ts'
import { remove, rename, showOne } from './manage.ts'
import type { PasskeyChange } from './notices.ts'
import { acceptOffer, findOffer, refuseOffer, showOffer } from './offer.ts'
import { type PasskeyOptions, schema } from './options.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { listPasskeys } from './passkeys.ts'
import { registerPasskeys } from './registered-passkeys.ts'
import { findRelyingPartyProblems } from './relying-party.ts'
import { screens } from './screens.ts'
import { signInScript } from './script.ts'
import { createSignInMethod, sendRequestOptions } from './sign-in.ts'
import { createSignUpMethod, showCheckMail, showSignUp, startSignUp } from './sign-up.ts'
import { signUpScreens } from './sign-up-screens.ts'
import { factorType, isUnconfirmedPasskey, type Passkey } from './stored-passkey.ts'
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

const mail = (name: PasskeyChange, subject: TextKey, text: TextKey): FeatureMail => ({
  ...{ name, subject, text, button: 'mailButton', emptyValues: { passkey: 'name' }, isOptional: true }
})

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

/** The script of the sign-in page reports `PasskeyCancelled`, `PasskeyWrongDomain` and `PasskeyUnsupported`. */
const errors: readonly FeatureError[] = [
  { code: 'PasskeyUnknown', text: 'unknownText', next: 'unknownNext', screen: 'signin', status: 401 },
  { code: 'PasskeyCancelled', text: 'cancelledText', next: 'cancelledNext', screen: 'signin', status: 401 },
  { code: 'PasskeyWrongDomain', text: 'domainText', next: 'domainNext', screen: 'signin', status: 401 },
  {
    code: 'PasskeyUnsupported',
    text: 'unsupportedText',
    next: 'unsupportedNext',
    screen: 'signin',
    status: 401
  },
  { code: 'PasskeyFailed', text: 'failedText', next: 'failedNext', screen: 'signin', status: 401 },
  { code: 'PasskeyChanged', text: 'changedText', next: 'changedNext', screen: 'signin', status: 401 },
  { code: 'PasskeyExpired', text: 'expiredText', next: 'expiredNext', screen: 'signin', status: 401 }
]

/** The changes that one client may make. */
const changeLimit = { points: 60, seconds: 3600 }

const optionsPath = '/passkey/options'

function createRoutes(deps: PasskeyDeps): readonly FeatureRoute[] {
  const post = (path: string, run: FeatureRoute['run']): FeatureRoute => ({
    ...{ method: 'POST', path, limit: changeLimit, run }
  })
  const { relatedOrigins } = deps
  return [
    {
      method: 'GET',
      path: optionsPath,
      access: 'anyone',
      answers: 'json',
      run: (request) => sendRequestOptions(request, deps)
    },
    { method: 'GET', path: '/passkeys', run: (request) => showList(request, deps) },
    post('/passkeys', (request) => addPasskey(request, deps)),
    post('/passkeys/code', (request) => sendCode(request, deps)),
    post('/passkeys/options', (request) => sendCreationOptions(request, deps)),
    { method: 'GET', path: '/passkeys/:id', run: (request) => showOne(request, deps) },
    { method: 'DELETE', path: '/passkeys/:id', limit: changeLimit, run: (request) => remove(request, deps) },
    { method: 'GET', path: '/passkey/offer', run: (request) => showOffer(request, deps) },
    post('/passkey/offer', (request) => acceptOffer(request, deps)),
    post('/passkey/offer/refuse', (request) => refuseOffer(request, deps)),
    post('/passkeys/:id/rename', (request) => rename(request, deps)),
    post('/passkeys/:id/remove', (request) => remove(request, deps)),
    ...(relatedOrigins.length === 0
      ? []
      : [
          {
            method: 'GET',
            path: '/.well-known/webauthn',
            access: 'anyone',
            answers: 'json',
            run: () => json({ origins: relatedOrigins })
          } as const
        ])
  ]
}

function createSignUpRoutes(deps: PasskeyDeps): readonly FeatureRoute[] {
  const get = (path: string, run: FeatureRoute['run']): FeatureRoute => ({ method: 'GET', path, access: 'anyone', run })
  return [
    get('/passkey/sign-up', (request) => showSignUp(request, deps)),
    {
      ...{ method: 'POST', path: '/passkey/sign-up', access: 'anyone', limit: changeLimit, mailTo: 'email' },
      run: (request) => startSignUp(request, deps)
    },
    get('/passkey/check-mail', (request) => showCheckMail(request, deps))
  ]
}

function createSection({ authenticators }: PasskeyDeps): AccountSection {
  return {
    ...{ id: 'passkeys', order: 300, title: 'passkeys', path: '/passkeys' },
    reads: ['listFactors'],
    // Those of an application with Auth.js are not among the factors.
    ...(authenticators === null && { summary: summarize })
  }
}

/** The names of the passkeys. */
function summarize({ factors }: AccountState): SectionSummary {
  const passkeys = factors.filter((factor) => factor.type === factorType && !isUnconfirmedPasskey(factor))
  const names = passkeys.map(({ name }) => name || 'Passkey')
  return names.length === 0 ? { text: 'summaryNone' } : { text: 'summary', values: { names: names.join(', ') } }
}

const toInfo = (passkey: Passkey): PasskeyInfo => {
  const { id, credentialId, name, aaguid, transports, isBackedUp, createdAt, lastUsedAt } = passkey
  return { id, credentialId, name: name || 'Passkey', aaguid, transports, isBackedUp, createdAt, lastUsedAt }
}

/**
 * Sign-in with passkeys (WebAuthn), and a page on which users add, rename and remove them.
 *
 * It is passed to `providers`, and requires the package `@simplewebauthn/server`.
 */
export function passkey(options: PasskeyOptions = {}): Feature<PasskeyApi> {
  const { rpId = null, relatedOrigins = [], userVerification = 'preferred', authenticators = null } = options
  const { signUp = false, offer = true, appOrigins = [] } = options
  return {
    id: 'passkey',
    options,
    schema,
    needs: [
      ...(['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets', 'addEvents'] as const),
      ...(['createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor'] as const)
    ],
    ...{ endsSessions: true, needsRecentSignIn: true },
    check: ({ origin }) => [
      ...findRelyingPartyProblems(origin === null ? null : [origin], { rpId, relatedOrigins, appOrigins }),
      ...(isInstalled() ? [] : ['expected the package @simplewebauthn/server; install it'])
    ],
    setup: (context) => {
      const maySignUp = createMaySignUp(signUp, context)
      const origins = { rpId, relatedOrigins, appOrigins }
      const deps: PasskeyDeps = { context, ...origins, userVerification, authenticators, maySignUp }
      const api: PasskeyApi = { list: async (userId) => (await listPasskeys(userId, deps)).map(toInfo) }
      registerPasskeys(api, deps)
      return {
        eventTypes,
        screens: signUp ? [...screens, ...signUpScreens] : screens,
        texts,
        mails: signUp ? [...mails, ...signUpMails] : mails,
        errors,
        routes: signUp ? [...createRoutes(deps), ...createSignUpRoutes(deps)] : createRoutes(deps),
        signInMethods: signUp ? [createSignInMethod(deps), createSignUpMethod(deps)] : [createSignInMethod(deps)],
        signInPage: {
          script: signInScript,
          connect: [optionsPath],
          identifierAttributes: { autocomplete: 'username webauthn' },
          links: signUp ? [{ title: 'createAccount', path: '/passkey/sign-up', purpose: 'sign-up' }] : []
        },
        accountSections: [createSection(deps)],
        ...(offer && { pageAfterSignIn: (signIn, request) => findOffer(signIn, request, deps) }),
        waysIn: async (userId) => (await listPasskeys(userId, deps)).length,
        onUserDelete: async (userId) => {
          const keys = await context.factors.listKeys(userId)
          for (const key of keys) if (key.type === factorType) await context.factors.delete(key)
        },
        exportData: async (userId) => (await listPasskeys(userId, deps)).map(toInfo),
        api
      }
    }
  }
}
