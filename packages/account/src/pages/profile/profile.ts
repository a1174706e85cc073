import {
  type ActionResult,
  type FeatureRequest,
  type FeatureScreen,
  getText,
  toDisplayName
} from '@postern/core/feature'
import { textField, toForm, toLinks } from '../../plain-screen.ts'
import { bindRoutes } from '../../routes.ts'
import { askToAuthenticate, getVerifyUrl, readUser } from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame, toPage } from '../frame.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import type { ProfileProps } from './props.ts'

const path = '/account/profile'

/** Unicode characters. */
const maxNameLength = 100

const screen: FeatureScreen<ProfileProps, TextKey> = {
  name: 'profile',
  title: 'profile',
  width: 'wide',
  component: async () => (await import('./profile-screen.tsx')).ProfileScreen,
  plain: ({ name, action, accountUrl, verifyUrl, problem }, texts) => ({
    text: problem ? texts[problem] : texts.profileText,
    links: toLinks([texts.verify, verifyUrl], [texts.back, accountUrl]),
    ...toForm(action, texts.save, [{ ...textField('name', texts.name), value: name }])
  })
}

async function showProfile(
  request: FeatureRequest,
  setup: AccountSetup,
  refused: { readonly problem: TextKey; readonly typed: string } | null = null
): Promise<ActionResult> {
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const verifyUrl = found.isFresh ? null : getVerifyUrl(request, `${request.origin}${request.basePath}${path}`)
  const props: ProfileProps = {
    ...getFrame(request, setup.context, { problem: refused?.problem ?? null, verifyUrl }),
    name: refused?.typed ?? found.user.name ?? '',
    action: found.isFresh ? `${request.basePath}${path}` : null
  }
  return request.screen('profile', props, { status: refused ? 400 : 200 })
}

async function saveProfile(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!found.isFresh) return askToAuthenticate(request, path)
  const typed = getText(request.body, 'name') ?? ''
  const name = toDisplayName(typed)
  if (Array.from(name ?? '').length > maxNameLength)
    return showProfile(request, setup, { problem: 'nameTooLong', typed })
  // The session may have been ended by another process, which this one has not read yet.
  await request.confirmUser()
  const { user } = found
  await context.users.updateUser({ id: user.id, name })
  await context.events.add([context.createEvent('profile-changed', { userId: user.id, request })])
  return toPage(request, path, 'profileSaved')
}

/** The section in which the user changes their name. */
export function createProfileSection(setup: AccountSetup): SectionParts {
  const { get, post } = bindRoutes(setup)
  return {
    section: {
      id: 'profile',
      order: 100,
      title: 'profile',
      path,
      summary: ({ user: { name } }) => (name ? { text: 'profileSummary', values: { name } } : { text: 'profileNone' })
    },
    screens: [screen],
    routes: [get(path, showProfile), post(path, saveProfile)]
  }
}
