import { type ActionResult, type FeatureRequest, type FeatureScreen, jsonFile } from '@postern/core/feature'
import { toForm, toLinks } from '../../plain-screen.ts'
import { bindRoutes } from '../../routes.ts'
import { askToAuthenticate, getVerifyUrl, readCredentialUser } from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame } from '../frame.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import type { DataProps } from './props.ts'

const path = '/account/data'

const screen: FeatureScreen<DataProps, TextKey> = {
  name: 'data',
  title: 'data',
  width: 'wide',
  component: async () => (await import('./data-screen.tsx')).DataScreen,
  plain: ({ action, verifyUrl, accountUrl }, texts) => ({
    text: texts.dataText,
    links: toLinks([texts.verify, verifyUrl], [texts.back, accountUrl]),
    ...toForm(action, texts.download)
  })
}

async function showData(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const own = `${request.basePath}${path}`
  const verifyUrl = found.isFresh ? null : getVerifyUrl(request, request.origin + own, { amr: found.missing })
  const props: DataProps = { ...getFrame(request, setup.context, { verifyUrl }), action: found.isFresh ? own : null }
  return request.screen('data', props)
}

/** Sends what is stored about the signed-in user, as a file. */
async function sendData(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing })
  // The session may have been ended by another process, which this one has not read yet.
  await request.confirmUser()
  const { id } = found.user
  // It collects from every table.
  const limited = { userId: id, device: await request.getKnownDevice() }
  await context.limitUser('export', limited, { points: 10, seconds: 3600 })
  const exported = await context.postern.exportUser(id)
  await context.events.add([context.createEvent('data-exported', { userId: id, request })])
  return jsonFile(`account-${new Date(context.now()).toISOString().slice(0, 10)}.json`, exported)
}

/** The section in which the user downloads what is stored about them. */
export function createDataSection(setup: AccountSetup): SectionParts {
  const { get, post } = bindRoutes(setup)
  return {
    section: { id: 'data', order: 800, title: 'data', path, summary: () => ({ text: 'dataSummary' }) },
    screens: [screen],
    routes: [
      get(path, showData),
      // Its user is limited.
      post(path, sendData, { limit: undefined })
    ]
  }
}
