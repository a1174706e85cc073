import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen, SetCookies } from '@postern/core/feature'
import { getAccountUrl } from '../account-url.ts'
import { getProblemKey } from '../mail/problem-key.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { AddForm, OfferProps, PasskeyProps, PasskeysProps, SignInProps, UnavailableProps } from './props.ts'
import { script } from './script.ts'
import type { TextKey } from './texts.ts'

const hidden = (name: string, value: string) => ({ name, label: '', type: 'hidden', value })

const signInScreen: FeatureScreen<SignInProps, TextKey> = {
  name: 'sign-in',
  title: 'signIn',
  component: async () => (await import('./sign-in-screen.tsx')).SignInScreen,
  script,
  plain: ({ action, options, callbackUrl, signInUrl }, texts) => ({
    text: `${texts.signInText} ${texts.needsScript}`,
    links: [{ label: texts.otherWays, href: signInUrl }],
    form: {
      action,
      submit: texts.signIn,
      fields: [hidden('callbackUrl', callbackUrl), hidden('options', JSON.stringify(options)), hidden('credential', '')]
    }
  })
}

function getAddForm(
  { action, sendAction, options, mail }: AddForm,
  texts: Readonly<Record<TextKey, string>>
): NonNullable<PlainScreen['form']> {
  if (mail === 'send') return { action: sendAction, submit: texts.mailSend, fields: [] }
  const fields = [hidden('options', JSON.stringify(options)), hidden('credential', '')]
  const code = { name: 'mailCode', label: texts.mailCode, type: 'text' }
  return { action, submit: texts.add, fields: mail === 'sent' ? [code, ...fields] : fields }
}

const passkeysScreen: FeatureScreen<PasskeysProps, TextKey> = {
  name: 'passkeys',
  title: 'passkeys',
  width: 'wide',
  component: async () => (await import('./passkeys-screen.tsx')).PasskeysScreen,
  script,
  plain: ({ passkeys, add, verifyUrl, problem, accountUrl }, texts) => ({
    text: [
      problem && texts[getProblemKey(problem, add?.mail ?? 'none')],
      texts.passkeysText,
      add && add.mail !== 'none' && texts.mailText
    ]
      .filter(Boolean)
      .join(' '),
    links: [
      ...passkeys.flatMap(({ name, href }) => (href === null ? [] : [{ label: name || texts.name, href }])),
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      ...(accountUrl === null ? [] : [{ label: texts.toAccount, href: accountUrl }])
    ],
    ...(add && { form: getAddForm(add, texts) })
  })
}

const passkeyScreen: FeatureScreen<PasskeyProps, TextKey> = {
  name: 'passkey',
  title: 'name',
  width: 'wide',
  component: async () => (await import('./passkey-screen.tsx')).PasskeyScreen,
  plain: ({ passkey, removeAction, listUrl, problem }, texts) => ({
    text: [problem && texts[problem], passkey.name || texts.name, texts.removeText].filter(Boolean).join(' '),
    links: [{ label: texts.back, href: listUrl }],
    form: { action: removeAction, submit: texts.remove, fields: [] }
  })
}

const offerScreen: FeatureScreen<OfferProps, TextKey> = {
  name: 'offer',
  title: 'offer',
  component: async () => (await import('./offer-screen.tsx')).OfferScreen,
  script,
  plain: ({ action, options, callbackUrl, problem }, texts) => ({
    text: [problem && texts[problem], texts.offerText, texts.needsScript].filter(Boolean).join(' '),
    links: [{ label: texts.notNow, href: callbackUrl }],
    form: {
      action,
      submit: texts.createPasskey,
      fields: [hidden('callbackUrl', callbackUrl), hidden('options', JSON.stringify(options)), hidden('credential', '')]
    }
  })
}

const unavailableScreen: FeatureScreen<UnavailableProps, TextKey> = {
  name: 'unavailable',
  title: 'unavailable',
  component: async () => (await import('./unavailable-screen.tsx')).UnavailableScreen,
  plain: ({ backUrl, hasAccountPage }, texts) => ({
    text: texts.unavailableText,
    links: [{ label: hasAccountPage ? texts.toAccount : texts.continue, href: backUrl }]
  })
}

export const screens: readonly FeatureScreen<never, TextKey>[] = [
  signInScreen,
  passkeysScreen,
  passkeyScreen,
  offerScreen,
  unavailableScreen
]

/** The page that signs in. */
export function showSignIn(
  request: FeatureRequest,
  values: Pick<SignInProps, 'options' | 'callbackUrl'>,
  cookies: SetCookies
): Promise<ActionResult> {
  const { basePath } = request
  const props: SignInProps = { ...values, action: `${basePath}/callback/passkey`, signInUrl: `${basePath}/signin` }
  return request.screen('sign-in', props, { cookies })
}

/** The page with all passkeys. */
export function showPasskeys(
  request: FeatureRequest,
  props: PasskeysProps,
  response: { readonly status: number; readonly cookies: SetCookies }
): Promise<ActionResult> {
  return request.screen('passkeys', props, response)
}

/** The page of one passkey. */
export function showPasskey(request: FeatureRequest, props: PasskeyProps): Promise<ActionResult> {
  return request.screen('passkey', props, { status: props.problem === null ? 200 : 400 })
}

/** The page for users who are not stored. */
export function showUnavailable(request: FeatureRequest, { context }: PasskeySetup): Promise<ActionResult> {
  const accountUrl = getAccountUrl(context)
  const props = { backUrl: accountUrl ?? request.origin, hasAccountPage: accountUrl !== null }
  return request.screen('unavailable', props, { status: 403 })
}

/** The page that offers a passkey after a sign-in. */
export function showOfferScreen(
  request: FeatureRequest,
  values: Omit<OfferProps, 'action' | 'refuseAction'>,
  cookies: SetCookies
): Promise<ActionResult> {
  const action = `${request.basePath}/passkey/offer`
  const props: OfferProps = { ...values, action, refuseAction: `${action}/refuse` }
  return request.screen('offer', props, { status: props.problem === null ? 200 : 400, cookies })
}
