import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen } from '@postern/core/feature'
import { fillTime, textField, toForm, toLinks, toText } from '../../plain-screen.ts'
import { toPlainDecision } from '../decision.ts'
import { createEnd } from '../end.ts'
import { getFrame } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey, Texts } from '../texts.ts'
import type { AgreeEmailProps, ConfirmEmailProps, EmailLinkProps, EmailProps, WaitingEmail } from './props.ts'
import { script as resendScript } from './resend-script.ts'

/** The form of a change that waits, for a page without a renderer. */
const getWaitingForm = ({ approveAction, cancelAction }: WaitingEmail, texts: Texts): Pick<PlainScreen, 'form'> =>
  approveAction === null ? toForm(cancelAction, texts.emailCancel) : toForm(approveAction, texts.emailApprove)

const emailScreen: FeatureScreen<EmailProps, TextKey> = {
  name: 'email',
  title: 'email',
  width: 'wide',
  component: async () => (await import('./email-screen.tsx')).EmailScreen,
  plain: ({ email, typed, action, accountUrl, verifyUrl, problem, pending, confirmUrl, waiting }, texts) => ({
    text: toText(
      problem ? texts[problem] : texts.emailText,
      email ?? texts.emailNone,
      waiting &&
        `${fillTime(texts.emailWaiting.replace('{email}', waiting.email), waiting.at)} ${texts.emailWaitingText}`
    ),
    links: toLinks(
      [texts.verify, verifyUrl],
      [texts.emailEnterCode, pending === null ? null : confirmUrl],
      [texts.emailFactor, waiting?.factorUrl],
      [texts.back, accountUrl]
    ),
    ...toForm(action, texts.emailSubmit, [{ name: 'email', label: texts.emailNew, type: 'email', value: typed }]),
    ...(waiting && getWaitingForm(waiting, texts))
  })
}

const confirmScreen: FeatureScreen<ConfirmEmailProps, TextKey> = {
  name: 'email-confirm',
  title: 'emailConfirm',
  width: 'wide',
  component: async () => (await import('./confirm-screen.tsx')).ConfirmEmailScreen,
  script: resendScript,
  plain: ({ email, action, accountUrl, changeUrl, problem }, texts) => ({
    text: toText(problem && texts[problem], texts.emailSent, email),
    links: toLinks([texts.emailOther, changeUrl], [texts.back, accountUrl]),
    ...toForm(action, texts.emailConfirmSubmit, [textField('code', texts.emailCode)])
  })
}

const agreeScreen: FeatureScreen<AgreeEmailProps, TextKey> = {
  name: 'email-agree',
  title: 'emailAgree',
  width: 'wide',
  component: async () => (await import('./agree-screen.tsx')).AgreeEmailScreen,
  plain: ({ email, at, problem, ...decision }, texts) => ({
    text: toText(problem && texts[problem], texts.emailAgreeText, email, fillTime(texts.emailAgreeEffects, at)),
    ...toPlainDecision(decision, { confirm: texts.emailAgreeSubmit, cancel: texts.emailCancel })
  })
}

/** One screen for each reason, as the title of the document is that of the screen. */
const linkScreens = [
  createEnd('email-link-changed', 'email', 'emailChanged'),
  createEnd('email-link-cancelled', 'emailAgree', 'emailCancelledText'),
  createEnd('email-link-gone', 'emailGone', 'emailGoneText'),
  createEnd('email-link-taken', 'emailTaken', 'emailTakenText')
]

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
