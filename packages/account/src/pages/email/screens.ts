import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen } from '@postern/core/feature'
import { getFrame } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { fillWaiting } from './fill-waiting.ts'
import { linkTexts } from './link-texts.ts'
import type { AgreeEmailProps, ConfirmEmailProps, EmailLinkProps, EmailProps, WaitingEmail } from './props.ts'
import { script as resendScript } from './resend-script.ts'

type Texts = Readonly<Record<TextKey, string>>

/** The form of a change that waits, for a page without a renderer. */
const getWaitingForm = (
  { approveAction, cancelAction }: WaitingEmail,
  texts: Texts
): NonNullable<PlainScreen['form']> =>
  approveAction === null
    ? { action: cancelAction, submit: texts.emailCancel, fields: [] }
    : { action: approveAction, submit: texts.emailApprove, fields: [] }

const emailScreen: FeatureScreen<EmailProps, TextKey> = {
  name: 'email',
  title: 'email',
  width: 'wide',
  component: async () => (await import('./email-screen.tsx')).EmailScreen,
  plain: ({ email, typed, action, accountUrl, verifyUrl, problem, pending, confirmUrl, waiting }, texts) => ({
    text: [
      problem ? texts[problem] : texts.emailText,
      email ?? texts.emailNone,
      waiting && `${fillWaiting(texts.emailWaiting, waiting)} ${texts.emailWaitingText}`
    ]
      .filter(Boolean)
      .join(' '),
    links: [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      ...(pending === null ? [] : [{ label: texts.emailEnterCode, href: confirmUrl }]),
      ...(waiting?.factorUrl ? [{ label: texts.emailFactor, href: waiting.factorUrl }] : []),
      { label: texts.back, href: accountUrl }
    ],
    ...(action !== null && {
      form: {
        action,
        submit: texts.emailSubmit,
        fields: [{ name: 'email', label: texts.emailNew, type: 'email', value: typed }]
      }
    }),
    ...(waiting && { form: getWaitingForm(waiting, texts) })
  })
}

const confirmScreen: FeatureScreen<ConfirmEmailProps, TextKey> = {
  name: 'email-confirm',
  title: 'emailConfirm',
  width: 'wide',
  component: async () => (await import('./confirm-screen.tsx')).ConfirmEmailScreen,
  script: resendScript,
  plain: ({ email, action, accountUrl, changeUrl, problem }, texts) => ({
    text: [problem && texts[problem], texts.emailSent, email].filter(Boolean).join(' '),
    links: [
      { label: texts.emailOther, href: changeUrl },
      { label: texts.back, href: accountUrl }
    ],
    form: { action, submit: texts.emailConfirmSubmit, fields: [{ name: 'code', label: texts.emailCode, type: 'text' }] }
  })
}

const agreeScreen: FeatureScreen<AgreeEmailProps, TextKey> = {
  name: 'email-agree',
  title: 'emailAgree',
  width: 'wide',
  component: async () => (await import('./agree-screen.tsx')).AgreeEmailScreen,
  plain: ({ email, at, action, token, isCancellation, problem }, texts) => ({
    text: [problem && texts[problem], texts.emailAgreeText, email, fillWaiting(texts.emailAgreeEffects, { email, at })]
      .filter(Boolean)
      .join(' '),
    links: isCancellation
      ? []
      : [{ label: texts.emailCancel, href: `${action}?${new URLSearchParams({ token, decision: 'cancel' })}` }],
    form: {
      action,
      submit: isCancellation ? texts.emailCancel : texts.emailAgreeSubmit,
      fields: [
        { name: 'token', label: '', type: 'hidden', value: token },
        { name: 'decision', label: '', type: 'hidden', value: isCancellation ? 'cancel' : 'confirm' }
      ]
    }
  })
}

/** One screen for each reason, as the title of the document is that of the screen. */
const linkScreens = Object.entries(linkTexts).map(
  ([reason, { title, text }]): FeatureScreen<EmailLinkProps, TextKey> => ({
    name: `email-link-${reason}`,
    title,
    width: 'wide',
    component: async () => (await import('./link-screen.tsx')).EmailLinkScreen,
    plain: ({ accountUrl }, texts) => ({
      text: texts[text],
      links: [{ label: texts.back, href: accountUrl }]
    })
  })
)

export const screens: readonly FeatureScreen<never>[] = [emailScreen, confirmScreen, agreeScreen, ...linkScreens]

/** Shows a page without a form. */
export function showLink(
  request: FeatureRequest,
  reason: EmailLinkProps['reason'],
  { context }: AccountSetup
): Promise<ActionResult> {
  const status = { changed: 200, cancelled: 200, gone: 400, taken: 409 }[reason]
  const props: EmailLinkProps = { ...getFrame(request, context), reason }
  return request.screen(`email-link-${reason}`, props, { status })
}
