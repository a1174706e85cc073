import { type ActionResult, type FeatureRequest, type FeatureScreen, getText } from '@postern/core/feature'
import { askToAuthenticate, getVerifyUrl, readUser, type SignedInUser } from '../../signed-in-user.ts'
import { findUndoGuard } from '../../undo-guard.ts'
import { getFrame } from '../frame.ts'
import { notifyUser } from '../notify-user.ts'
import type { SectionDeps, SectionParts } from '../section-parts.ts'
import { texts as allTexts, type TextKey } from '../texts.ts'
import { showUnavailable } from '../unavailable.ts'
import type { DeletedProps, DeletionProps } from './props.ts'

const path = '/account/delete'

const screen: FeatureScreen<DeletionProps, TextKey> = {
  name: 'delete',
  title: 'deletion',
  width: 'wide',
  component: async () => (await import('./deletion-screen.tsx')).DeletionScreen,
  plain: ({ action, verifyUrl, accountUrl, problem }, texts) => ({
    text: [problem && texts[problem], texts.deletionText, texts.deletionUser, texts.deletionSessions]
      .filter(Boolean)
      .join(' '),
    links: [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      { label: texts.back, href: accountUrl }
    ],
    ...(action !== null && {
      form: {
        action,
        submit: texts.deletionButton,
        fields: [
          {
            name: 'confirmation',
            label: texts.deletionConfirm.replace('{word}', texts.deletionWord),
            type: 'text'
          }
        ]
      }
    })
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

function show(
  request: FeatureRequest,
  { user, isFresh }: SignedInUser,
  { context }: SectionDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const own = `${request.basePath}${path}`
  const { email, emailVerified } = user
  const props: DeletionProps = {
    ...getFrame(request, context, {
      problem,
      verifyUrl: isFresh ? null : getVerifyUrl(request, request.origin + own)
    }),
    email: context.canSendMail && email && emailVerified ? email : null,
    action: isFresh ? own : null
  }
  return request.screen('delete', props, { status: problem === null ? 200 : 400 })
}

async function showDeletion(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const found = await readUser(request, deps)
  return found ? show(request, found, deps) : showUnavailable(request, deps)
}

/** The word is in the language of the page, which the form does not know. */
const words: ReadonlySet<string> = new Set(Object.values(allTexts).map(({ deletionWord }) => deletionWord))

/** Deletes the signed-in user. */
async function deleteAccount(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, path)
  const typed = (getText(request.body, 'confirmation') ?? '').trim().toUpperCase()
  if (!words.has(typed)) return show(request, found, deps, 'deletionWrong')
  // The session may have been ended by another process, which this one has not read yet.
  await request.confirmUser()
  const { user } = found
  const addresses = new Set((await findUndoGuard(context)?.listAddresses(user.id)) ?? [])
  await context.postern.deleteUser(user.id, { request })
  const time = new Date(context.now())
  notifyUser('deleted', user, { time, request }, context)
  // The owner may still undo a change of the address: the current one may be that of a thief.
  for (const email of addresses)
    if (email !== user.email) notifyUser('deleted', { email, emailVerified: time }, { time, request }, context)
  const props: DeletedProps = { siteName: request.siteName, siteUrl: request.origin }
  return request.screen('deleted', props)
}

/** The section in which the user deletes their account. */
export function createDeletionSection(deps: SectionDeps): SectionParts {
  return {
    section: {
      ...{ id: 'delete', order: 900, title: 'deletion', path, isDestructive: true },
      summary: () => ({ text: 'deletionSummary' })
    },
    screens: [screen, deletedScreen],
    routes: [
      { method: 'GET', path, run: (request) => showDeletion(request, deps) },
      { method: 'POST', path, run: (request) => deleteAccount(request, deps) }
    ],
    mails: [{ name: 'deleted', subject: 'mailDeletedSubject', text: 'mailDeletedText', isOptional: true }]
  }
}
