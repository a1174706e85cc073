import type { ActionResult, FeatureRequest, FeatureScreen, PlainScreen } from '@postern/core/feature'
import { fillTime, textField, toForm, toLinks, toText } from '../../plain-screen.ts'
import { toPlainDecision } from '../decision.ts'
import { createEnd } from '../end.ts'
import type { TextKey, Texts } from '../texts.ts'
import type { ConfirmDeletionProps, DeletedProps, DeletionProps, DeletionScheduledProps } from './props.ts'

/** The sentences of the page without a renderer. */
function describe({ pending, deleteAt, endsSessions, logUntil }: DeletionProps, texts: Texts): readonly string[] {
  if (pending) {
    const mailed = pending.isMailed ? [texts.deletionWaitingText] : []
    return [fillTime(texts.deletionPending, pending.deleteAt), texts.deletionPendingText, ...mailed]
  }
  const sessions = endsSessions ? [texts.deletionSessions] : []
  const always = [...sessions, fillTime(texts.deletionLog, logUntil)]
  if (deleteAt === null) return [texts.deletionText, texts.deletionUser, ...always]
  const user = fillTime(texts.deletionLaterUser, deleteAt)
  return [texts.deletionLaterText, user, texts.deletionLaterKeep, ...always]
}

function getForm({ pending, action }: DeletionProps, texts: Texts): Pick<PlainScreen, 'form'> {
  if (pending?.approveAction) return toForm(pending.approveAction, texts.deletionButton)
  if (pending) return toForm(pending.keepAction, texts.deletionKeep)
  const label = texts.deletionConfirm.replace('{word}', texts.deletionWord)
  return toForm(action, texts.deletionButton, [textField('confirmation', label)])
}

const deletionScreen: FeatureScreen<DeletionProps, TextKey> = {
  name: 'delete',
  title: 'deletion',
  width: 'wide',
  component: async () => (await import('./deletion-screen.tsx')).DeletionScreen,
  plain: (props, texts) => ({
    text: toText(props.problem && texts[props.problem], ...describe(props, texts)),
    links: toLinks(
      [texts.verify, props.verifyUrl],
      [texts.emailFactor, props.pending?.factorUrl],
      [texts.back, props.accountUrl]
    ),
    ...getForm(props, texts)
  })
}

const deletedScreen: FeatureScreen<DeletedProps, TextKey> = {
  name: 'deleted',
  title: 'deleted',
  component: async () => (await import('./deleted-screen.tsx')).DeletedScreen,
  plain: ({ siteName, siteUrl }, texts) => ({
    text: texts.deletedText,
    links: toLinks([texts.toSite.replace('{site}', siteName), siteUrl])
  })
}

const scheduledScreen: FeatureScreen<DeletionScheduledProps, TextKey> = {
  name: 'deletion-scheduled',
  title: 'deletionScheduled',
  component: async () => (await import('./deleted-screen.tsx')).DeletedScreen,
  plain: ({ deleteAt, siteName, siteUrl }, texts) => ({
    text: fillTime(texts.deletionScheduledText, deleteAt),
    links: toLinks([texts.toSite.replace('{site}', siteName), siteUrl])
  })
}

const confirmScreen: FeatureScreen<ConfirmDeletionProps, TextKey> = {
  name: 'deletion-confirm',
  title: 'deletion',
  width: 'wide',
  component: async () => (await import('./confirm-screen.tsx')).ConfirmDeletionScreen,
  plain: ({ deleteAt, problem, ...decision }, texts) => ({
    text: toText(
      problem && texts[problem],
      fillTime(texts.deletionPending, deleteAt),
      texts.deletionUser,
      texts.deletionSessions
    ),
    ...toPlainDecision(decision, { confirm: texts.deletionButton, cancel: texts.deletionKeep })
  })
}

/** One screen for each reason, as the title of the document is that of the screen. */
const linkScreens = [
  createEnd('deletion-link-cancelled', 'event-deletion-cancelled', 'deletionCancelled'),
  createEnd('deletion-link-gone', 'emailGone', 'emailGoneText')
]

export const screens: readonly FeatureScreen<never>[] = [
  deletionScreen,
  deletedScreen,
  scheduledScreen,
  confirmScreen,
  ...linkScreens
]

export const getSite = ({ siteName, siteUrl }: FeatureRequest): DeletedProps => ({ siteName, siteUrl })

/** Says that the account was deleted. */
export const showDeleted = (request: FeatureRequest): Promise<ActionResult> =>
  request.screen('deleted', getSite(request))
