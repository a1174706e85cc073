import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen } from '@postern/core/feature'
import { getAccountUrl } from '../account-url.ts'
import { getProblemKey } from '../mail/problem-key.ts'
import { hiddenFields, textField, toForm, toLinks, toText } from '../plain-screen.ts'
import { toCredentialFields } from './ceremony-options.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { AddForm, OfferProps, PasskeyProps, PasskeysProps, SignInProps, UnavailableProps } from './props.ts'
import { script } from './script.ts'
import type { TextKey, Texts } from './texts.ts'

const signInScreen: FeatureScreen<SignInProps, TextKey> = {
  name: 'sign-in',
  title: 'signIn',
  component: async () => (await import('./sign-in-screen.tsx')).SignInScreen,
  script,
  plain: ({ action, options, callbackUrl, signInUrl }, texts) => ({
    text: `${texts.signInText} ${texts.needsScript}`,
    links: toLinks([texts.otherWays, signInUrl]),
    ...toForm(action, texts.signIn, hiddenFields({ callbackUrl, ...toCredentialFields(options) }))
  })
}

function getAddForm({ action, sendAction, options, mail }: AddForm, texts: Texts): Pick<PlainScreen, 'form'> {
  if (mail === 'send') return toForm(sendAction, texts.mailSend)
  const fields = hiddenFields(toCredentialFields(options))
  return toForm(action, texts.add, mail === 'sent' ? [textField('mailCode', texts.mailCode), ...fields] : fields)
}

const passkeysScreen: FeatureScreen<PasskeysProps, TextKey> = {
  name: 'passkeys',
  title: 'passkeys',
  width: 'wide',
  component: async () => (await import('./passkeys-screen.tsx')).PasskeysScreen,
  script,
  plain: ({ passkeys, add, verifyUrl, problem, accountUrl }, texts) => ({
    text: toText(
      problem && texts[getProblemKey(problem, add?.mail ?? 'none')],
      texts.passkeysText,
      add && add.mail !== 'none' && texts.mailText
    ),
    links: toLinks(
      ...passkeys.map(({ name, href }) => [name || texts.name, href] as const),
      [texts.verify, verifyUrl],
      [texts.toAccount, accountUrl]
    ),
    ...(add && getAddForm(add, texts))
  })
}

const passkeyScreen: FeatureScreen<PasskeyProps, TextKey> = {
  name: 'passkey',
  title: 'name',
  width: 'wide',
  component: async () => (await import('./passkey-screen.tsx')).PasskeyScreen,
  plain: ({ passkey, removeAction, listUrl, problem }, texts) => ({
    text: toText(problem && texts[problem], passkey.name || texts.name, texts.removeText),
    links: toLinks([texts.back, listUrl]),
    ...toForm(removeAction, texts.remove)
  })
}

const offerScreen: FeatureScreen<OfferProps, TextKey> = {
  name: 'offer',
  title: 'offer',
  component: async () => (await import('./offer-screen.tsx')).OfferScreen,
  script,
  plain: ({ action, options, callbackUrl, problem }, texts) => ({
    text: toText(problem && texts[problem], texts.offerText, texts.needsScript),
    links: toLinks([texts.notNow, callbackUrl]),
    ...toForm(action, texts.createPasskey, hiddenFields({ callbackUrl, ...toCredentialFields(options) }))
  })
}

const unavailableScreen: FeatureScreen<UnavailableProps, TextKey> = {
  name: 'unavailable',
  title: 'unavailable',
  component: async () => (await import('./unavailable-screen.tsx')).UnavailableScreen,
  plain: ({ backUrl, hasAccountPage }, texts) => ({
    text: texts.unavailableText,
    links: toLinks([hasAccountPage ? texts.toAccount : texts.continue, backUrl])
  })
}

export const screens: readonly FeatureScreen<never, TextKey>[] = [
  signInScreen,
  passkeysScreen,
  passkeyScreen,
  offerScreen,
  unavailableScreen
]

/** The page for users who are not stored. */
export function showUnavailable(request: FeatureRequest, { context }: PasskeySetup): Promise<ActionResult> {
  const accountUrl = getAccountUrl(context)
  const props = { backUrl: accountUrl ?? request.origin, hasAccountPage: accountUrl !== null }
  return request.screen('unavailable', props, { status: 403 })
}
