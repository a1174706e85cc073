import type { ActionResult, FeatureRequest, FeatureScreen, SetCookies } from '@postern/core/feature'
import { getAccountUrl } from '../account-url.ts'
import { getProblemKey } from '../mail/problem-key.ts'
import { toCredentialFields } from '../passkey/ceremony-options.ts'
import { script } from '../passkey/script.ts'
import { hiddenField, hiddenFields, textField, toForm, toLinks, toText } from '../plain-screen.ts'
import { script as copyScript } from './copy-script.ts'
import { describeRemoval } from './factor-lines.ts'
import { getChallengeLead, getLostHelp } from './leads.ts'
import type { ChallengeProps, CodesProps, EnrollProps, FactorsProps, LostProps, MessageProps } from './props.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import type { TextKey } from './texts.ts'

const sendMail = hiddenField('send', 'mail')

const challengeScreen: FeatureScreen<ChallengeProps, TextKey> = {
  name: 'challenge',
  title: 'challenge',
  component: async () => (await import('./challenge-screen.tsx')).ChallengeScreen,
  script,
  plain: ({ action, methods, passkeyOptions, mail, problem }, texts) => {
    const hasTotp = methods.includes('totp')
    const lead = texts[getChallengeLead({ methods, mail })]
    const text = toText(problem && texts[problem], lead)
    if (methods.length === 0) return { text }
    if (hasTotp && mail === 'send') return { text, ...toForm(action, texts.mailSend, [sendMail]) }
    const fields = [
      ...(hasTotp ? [textField('code', texts.code)] : []),
      ...(mail === 'sent' ? [textField('mailCode', texts.mailCode)] : []),
      ...(methods.includes('recovery-code') ? [textField('recoveryCode', texts.recoveryCode)] : []),
      ...(passkeyOptions && !hasTotp ? hiddenFields(toCredentialFields(passkeyOptions)) : [])
    ]
    return { text, ...toForm(action, texts.continue, fields) }
  }
}

const createLost = (name: string, title: TextKey): FeatureScreen<LostProps, TextKey> => ({
  name,
  title,
  component: async () => (await import('./lost-screen.tsx')).LostScreen,
  plain: (props, texts) => ({
    text: texts[getLostHelp(props)],
    links: toLinks([texts.goBack, props.challengeUrl])
  })
})

const enrollScreen: FeatureScreen<EnrollProps, TextKey> = {
  name: 'enroll',
  title: 'enroll',
  component: async () => (await import('./enroll-screen.tsx')).EnrollScreen,
  script: copyScript,
  plain: ({ action, key, mail, problem }, texts) => {
    const lead = mail === 'none' ? `${texts.enrollText} ${texts.key}: ${key.text}` : texts.mailText
    const text = toText(problem && texts[getProblemKey(problem, mail)], lead)
    if (mail === 'send') return { text, ...toForm(action, texts.mailSend, [sendMail]) }
    const field = mail === 'sent' ? textField('mailCode', texts.mailCode) : textField('code', texts.code)
    return { text, ...toForm(action, texts.confirm, [field]) }
  }
}

const codesScreen: FeatureScreen<CodesProps, TextKey> = {
  name: 'recovery-codes',
  title: 'codes',
  component: async () => (await import('./codes-screen.tsx')).CodesScreen,
  script: copyScript,
  plain: ({ codes, action, listUrl }, texts) => ({
    text: codes.length > 0 ? `${texts.codesText} ${codes.join(' ')}` : texts.codesShown,
    links: toLinks([texts.codesSaved, listUrl]),
    ...toForm(action, texts.codesSaved, [hiddenField('saved', 'yes')])
  })
}

const factorsScreen: FeatureScreen<FactorsProps, TextKey> = {
  name: 'factors',
  title: 'section',
  width: 'wide',
  component: async () => (await import('./factors-screen.tsx')).FactorsScreen,
  plain: ({ totp, startAction, verifyUrl, problem, accountUrl, ...urls }, texts) => ({
    text: toText(problem && texts[problem], totp ? texts.app : texts.noApp),
    links: toLinks(
      [texts.app, urls.appUrl],
      [texts.recoveryCodes, urls.codesUrl],
      [texts.verify, verifyUrl],
      [texts.toAccount, accountUrl]
    ),
    ...toForm(startAction, texts.start)
  })
}

const appScreen: FeatureScreen<FactorsProps, TextKey> = {
  name: 'app',
  title: 'app',
  width: 'wide',
  component: async () => (await import('./app-screen.tsx')).AppScreen,
  plain: ({ totp, recoveryCodes, startAction, removeAction, needsCode, verifyUrl, problem, listUrl }, texts) => ({
    text: toText(problem && texts[problem], totp ? describeRemoval({ recoveryCodes }, texts) : texts.noApp),
    links: toLinks([texts.verify, verifyUrl], [texts.back, listUrl]),
    ...(totp
      ? toForm(
          removeAction,
          texts.remove,
          needsCode ? [textField('code', recoveryCodes ? texts.anyCode : texts.code)] : []
        )
      : toForm(startAction, texts.start))
  })
}

const codesLeftScreen: FeatureScreen<FactorsProps, TextKey> = {
  name: 'codes',
  title: 'recoveryCodes',
  width: 'wide',
  component: async () => (await import('./codes-left-screen.tsx')).CodesLeftScreen,
  plain: ({ codesAction, needsCode, verifyUrl, problem, listUrl }, texts) => ({
    text: toText(problem && texts[problem], texts.recoveryText),
    links: toLinks([texts.verify, verifyUrl], [texts.back, listUrl]),
    ...toForm(codesAction, texts.createCodes, needsCode ? [textField('code', texts.anyCode)] : [])
  })
}

const unavailableScreen: FeatureScreen<MessageProps, TextKey> = {
  name: 'unavailable',
  title: 'unavailable',
  component: async () => (await import('./message-screen.tsx')).MessageScreen,
  plain: ({ text, links }, texts) => ({
    text: texts[text],
    links: links.map(({ label, href }) => ({ label: texts[label], href }))
  })
}

export const screens: readonly FeatureScreen<never, TextKey>[] = [
  challengeScreen,
  createLost('lost', 'lostTitle'),
  createLost('lost-factor', 'lostFactor'),
  enrollScreen,
  codesScreen,
  factorsScreen,
  appScreen,
  codesLeftScreen,
  unavailableScreen
]

/** The form that ends a pending sign-in. */
export const getCancelAction = ({ basePath }: Pick<FeatureRequest, 'basePath'>): string => `${basePath}/verify/cancel`

export function showCodes(request: FeatureRequest, props: CodesProps, cookies?: SetCookies): Promise<ActionResult> {
  return request.screen('recovery-codes', props, cookies && { cookies })
}

/** For users who are not stored. */
export function showUnavailable(request: FeatureRequest, { context }: SecondFactorSetup): Promise<ActionResult> {
  const accountUrl = getAccountUrl(context)
  const link = { label: accountUrl === null ? 'continue' : 'toAccount', href: accountUrl ?? request.origin } as const
  const unavailable: MessageProps = { title: 'unavailable', text: 'unavailableText', links: [link] }
  return request.screen('unavailable', unavailable, { status: 403 })
}
