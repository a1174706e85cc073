import type { ActionResult, FeatureRequest, FeatureScreen } from '@postern/core/feature'
import { getFrame } from '../frame.ts'
import type { SectionDeps } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { linkTexts } from './link-texts.ts'
import type { ConfirmEmailProps, EmailLinkProps, EmailProps, UndoEmailProps } from './props.ts'

const emailScreen: FeatureScreen<EmailProps, TextKey> = {
  name: 'email',
  title: 'email',
  width: 'wide',
  component: async () => (await import('./email-screen.tsx')).EmailScreen,
  plain: ({ email, typed, action, accountUrl, verifyUrl, problem, pending, confirmUrl, delayedUntil }, texts) => ({
    text: [
      problem ? texts[problem] : texts.emailText,
      email ?? texts.emailNone,
      delayedUntil === null ? '' : texts.emailDelayed.replace('{time}', delayedUntil)
    ]
      .filter(Boolean)
      .join(' '),
    links: [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      ...(pending === null ? [] : [{ label: texts.emailEnterCode, href: confirmUrl }]),
      { label: texts.back, href: accountUrl }
    ],
    ...(action !== null && {
      form: {
        action,
        submit: texts.emailSubmit,
        fields: [{ name: 'email', label: texts.emailNew, type: 'email', value: typed }]
      }
    })
  })
}

const confirmScreen: FeatureScreen<ConfirmEmailProps, TextKey> = {
  name: 'email-confirm',
  title: 'emailConfirm',
  width: 'wide',
  component: async () => (await import('./confirm-screen.tsx')).ConfirmEmailScreen,
  plain: ({ email, action, token, accountUrl, changeUrl, problem }, texts) => ({
    text: [problem && texts[problem], token === null ? texts.emailSent : texts.emailConfirmText, email]
      .filter(Boolean)
      .join(' '),
    links: [
      { label: texts.emailOther, href: changeUrl },
      { label: texts.back, href: accountUrl }
    ],
    form: {
      action,
      submit: texts.emailConfirmSubmit,
      fields: [
        token === null
          ? { name: 'code', label: texts.emailCode, type: 'text' }
          : { name: 'token', label: '', type: 'hidden', value: token }
      ]
    }
  })
}

const linkScreen: FeatureScreen<EmailLinkProps, TextKey> = {
  name: 'email-link',
  title: 'email',
  width: 'wide',
  component: async () => (await import('./link-screen.tsx')).EmailLinkScreen,
  plain: ({ reason, accountUrl }, texts) => ({
    text: [texts[linkTexts[reason].title], texts[linkTexts[reason].text]].join(' '),
    links: [{ label: texts.back, href: accountUrl }]
  })
}

const undoScreen: FeatureScreen<UndoEmailProps, TextKey> = {
  name: 'email-undo',
  title: 'emailUndo',
  width: 'wide',
  component: async () => (await import('./undo-screen.tsx')).UndoEmailScreen,
  plain: ({ email, action, token, isProven, asksPassword, signInUrl, verifyUrl, accountUrl, problem }, texts) => ({
    text: [problem && texts[problem], texts.emailUndoText, email, texts.emailUndoEffects].filter(Boolean).join(' '),
    links: [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      ...(isProven || verifyUrl !== null || signInUrl === null
        ? []
        : [{ label: texts.emailUndoSignIn, href: signInUrl }]),
      { label: texts.back, href: accountUrl }
    ],
    ...((isProven || asksPassword) && {
      form: {
        action,
        submit: texts.emailUndoSubmit,
        fields: [
          { name: 'token', label: '', type: 'hidden', value: token },
          ...(isProven ? [] : [{ name: 'password', label: texts.emailUndoPassword, type: 'password' }])
        ]
      }
    })
  })
}

export const screens: readonly FeatureScreen<never>[] = [emailScreen, confirmScreen, linkScreen, undoScreen]

/** Shows a page without a form. */
export function showLink(
  request: FeatureRequest,
  reason: EmailLinkProps['reason'],
  { context }: SectionDeps
): Promise<ActionResult> {
  const status = { elsewhere: 403, gone: 400, taken: 409, undone: 200 }[reason]
  const props: EmailLinkProps = { ...getFrame(request, context), reason }
  return request.screen('email-link', props, { status })
}
