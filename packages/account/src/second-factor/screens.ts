import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen, SetCookies } from '@postern/core/feature'
import { script } from '../passkey/script.ts'
import { getChallengeLead } from './challenge-lead.ts'
import type { ChallengeProps, CodesProps, EnrollProps, FactorsProps, MessageProps } from './props.ts'
import type { TextKey } from './texts.ts'

type Field = NonNullable<PlainScreen['form']>['fields'][number]

const hidden = (name: string, value: string): Field => ({ name, label: '', type: 'hidden', value })
const field = (name: string, label: string): Field => ({ name, label, type: 'text' })

const sendMail = hidden('send', 'mail')

const challengeScreen: FeatureScreen<ChallengeProps, TextKey> = {
  name: 'challenge',
  title: 'challenge',
  component: async () => (await import('./challenge-screen.tsx')).ChallengeScreen,
  script,
  plain: ({ action, methods, passkeyOptions, mail, problem }, texts) => {
    const hasTotp = methods.includes('totp')
    const lead = texts[getChallengeLead({ methods, mail })]
    const text = [problem && texts[problem], lead].filter(Boolean).join(' ')
    if (methods.length === 0) return { text }
    if (hasTotp && mail === 'send') return { text, form: { action, submit: texts.mailSend, fields: [sendMail] } }
    const fields = [
      ...(hasTotp ? [field('code', texts.code)] : []),
      ...(mail === 'sent' ? [field('mailCode', texts.mailCode)] : []),
      ...(methods.includes('recovery-code') ? [field('recoveryCode', texts.recoveryCode)] : []),
      ...(passkeyOptions && !hasTotp
        ? [hidden('options', JSON.stringify(passkeyOptions)), hidden('credential', '')]
        : [])
    ]
    return { text, form: { action, submit: texts.continue, fields } }
  }
}

const enrollScreen: FeatureScreen<EnrollProps, TextKey> = {
  name: 'enroll',
  title: 'enroll',
  component: async () => (await import('./enroll-screen.tsx')).EnrollScreen,
  plain: ({ action, key, mail, problem }, texts) => {
    const lead = mail === 'send' ? texts.mailText : `${texts.enrollText} ${texts.key} ${key.text}`
    const text = [problem && texts[problem], lead].filter(Boolean).join(' ')
    if (mail === 'send') return { text, form: { action, submit: texts.mailSend, fields: [sendMail] } }
    const fields = [...(mail === 'sent' ? [field('mailCode', texts.mailCode)] : []), field('code', texts.code)]
    return { text, form: { action, submit: texts.confirm, fields } }
  }
}

const codesScreen: FeatureScreen<CodesProps, TextKey> = {
  name: 'recovery-codes',
  title: 'codes',
  component: async () => (await import('./codes-screen.tsx')).CodesScreen,
  plain: ({ codes, action, listUrl }, texts) => ({
    text: codes.length > 0 ? `${texts.codesText} ${codes.join(' ')}` : texts.codesShown,
    links: listUrl === null ? [] : [{ label: texts.back, href: listUrl }],
    ...(action !== null && { form: { action, submit: texts.codesSaved, fields: [hidden('saved', 'yes')] } })
  })
}

const factorsScreen: FeatureScreen<FactorsProps, TextKey> = {
  name: 'factors',
  title: 'section',
  width: 'wide',
  component: async () => (await import('./factors-screen.tsx')).FactorsScreen,
  plain: ({ totp, startAction, removeAction, needsCode, verifyUrl, problem, accountUrl }, texts) => {
    const text = [problem && texts[problem], totp ? texts.app : texts.noApp].filter(Boolean).join(' ')
    const links = [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      ...(accountUrl === null ? [] : [{ label: texts.toAccount, href: accountUrl }])
    ]
    const fields = needsCode ? [field('code', texts.anyCode)] : []
    if (startAction !== null) return { text, links, form: { action: startAction, submit: texts.start, fields: [] } }
    return removeAction === null
      ? { text, links }
      : { text, links, form: { action: removeAction, submit: texts.remove, fields } }
  }
}

const createMessage = (name: string, title: TextKey): FeatureScreen<MessageProps, TextKey> => ({
  name,
  title,
  component: async () => (await import('./message-screen.tsx')).MessageScreen,
  plain: ({ text, signInUrl }, texts) => ({
    text: texts[text],
    links: signInUrl === null ? [] : [{ label: texts.signIn, href: signInUrl }]
  })
})

export const screens: readonly FeatureScreen<never, TextKey>[] = [
  challengeScreen,
  enrollScreen,
  codesScreen,
  factorsScreen,
  createMessage('unavailable', 'unavailable')
]

const unavailable: MessageProps = { title: 'unavailable', text: 'unavailableText', signInUrl: null }
const changed = { title: 'unavailable', text: 'changed' } as const

const getSignInUrl = ({ basePath }: FeatureRequest): string => `${basePath}/signin`

const getStatus = ({ problem }: { readonly problem: TextKey | null }): number => (problem === null ? 200 : 400)

export function showChallenge(
  request: FeatureRequest,
  props: ChallengeProps,
  cookies: SetCookies
): Promise<ActionResult> {
  return request.screen('challenge', props, { status: getStatus(props), cookies })
}

export function showEnroll(request: FeatureRequest, props: EnrollProps): Promise<ActionResult> {
  return request.screen('enroll', props, { status: getStatus(props) })
}

export function showCodes(request: FeatureRequest, props: CodesProps, cookies?: SetCookies): Promise<ActionResult> {
  return request.screen('recovery-codes', props, cookies && { cookies })
}

/** @param isRefused - Whether a form was refused. */
export function showFactors(request: FeatureRequest, props: FactorsProps, isRefused: boolean): Promise<ActionResult> {
  return request.screen('factors', props, { status: isRefused ? 400 : 200 })
}

/** For users who are not stored. */
export function showUnavailable(request: FeatureRequest): Promise<ActionResult> {
  return request.screen('unavailable', unavailable, { status: 403 })
}

/** For a sign-in that must enroll with what may have been added since the email address was changed. */
export function showChanged(request: FeatureRequest): Promise<ActionResult> {
  const props: MessageProps = { ...changed, signInUrl: getSignInUrl(request) }
  return request.screen('unavailable', props, { status: 403 })
}
