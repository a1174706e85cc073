import type { FeatureScreen, PlainScreen } from '@postern/core/feature'
import type { TextKey } from '../texts.ts'
import { fillTime } from './fill-time.ts'
import type { DeletedProps, DeletionProps, DeletionScheduledProps } from './props.ts'

type Texts = Readonly<Record<TextKey, string>>

/** The sentences of the page without a renderer. */
function describe({ pending, deleteAt, logUntil }: DeletionProps, texts: Texts): readonly string[] {
  if (pending) return [fillTime(texts.deletionPending, pending), texts.deletionPendingText]
  const always = [texts.deletionSessions, fillTime(texts.deletionLog, { deleteAt: logUntil })]
  if (deleteAt === null) return [texts.deletionText, texts.deletionUser, ...always]
  const user = fillTime(texts.deletionLaterUser, { deleteAt })
  return [texts.deletionLaterText, user, texts.deletionLaterKeep, ...always]
}

function getForm({ pending, action }: DeletionProps, texts: Texts): Pick<PlainScreen, 'form'> {
  if (pending) return { form: { action: pending.keepAction, submit: texts.deletionKeep, fields: [] } }
  if (action === null) return {}
  const label = texts.deletionConfirm.replace('{word}', texts.deletionWord)
  return { form: { action, submit: texts.deletionButton, fields: [{ name: 'confirmation', label, type: 'text' }] } }
}

const deletionScreen: FeatureScreen<DeletionProps, TextKey> = {
  name: 'delete',
  title: 'deletion',
  width: 'wide',
  component: async () => (await import('./deletion-screen.tsx')).DeletionScreen,
  plain: (props, texts) => ({
    text: [props.problem && texts[props.problem], ...describe(props, texts)].filter(Boolean).join(' '),
    links: [
      ...(props.verifyUrl === null ? [] : [{ label: texts.verify, href: props.verifyUrl }]),
      { label: texts.back, href: props.accountUrl }
    ],
    ...getForm(props, texts)
  })
}

const deletedScreen: FeatureScreen<DeletedProps, TextKey> = {
  name: 'deleted',
  title: 'deleted',
  component: async () => (await import('./deleted-screen.tsx')).DeletedScreen,
  plain: ({ siteName, siteUrl }, texts) => ({
    text: texts.deletedText,
    links: [{ label: texts.toSite.replace('{site}', siteName), href: siteUrl }]
  })
}

const scheduledScreen: FeatureScreen<DeletionScheduledProps, TextKey> = {
  name: 'deletion-scheduled',
  title: 'deletionScheduled',
  component: async () => (await import('./deletion-scheduled-screen.tsx')).DeletionScheduledScreen,
  plain: ({ deleteAt, siteName, siteUrl }, texts) => ({
    text: fillTime(texts.deletionScheduledText, { deleteAt }),
    links: [{ label: texts.toSite.replace('{site}', siteName), href: siteUrl }]
  })
}

export const screens: readonly FeatureScreen<never>[] = [deletionScreen, deletedScreen, scheduledScreen]
