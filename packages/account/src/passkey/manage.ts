import { type ActionResult, type FeatureRequest, getText, json, redirect } from '@postern/core/feature'
import { askToAuthenticate, readUser, type SignedInUser } from '../signed-in-user.ts'
import { readMissingLevel } from '../two-factors.ts'
import { toListed } from './list.ts'
import { createPasskeyEvent, notifyOfChange } from './notices.ts'
import { normalizeName } from './passkey-name.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { PasskeyProps } from './props.ts'
import { showUnavailable } from './screens.ts'
import { type Passkey, passkeyKey, toPasskey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** A passkey of the signed-in user, who has authenticated recently. */
interface OwnPasskey extends SignedInUser {
  readonly passkey: Passkey
}

const toList = ({ origin, basePath }: FeatureRequest): ActionResult => redirect(`${origin}${basePath}/passkeys`)

/** Only scripts send DELETE. After a redirect they would send it to the list (RFC 9110 §15.4.3). */
function reportMissing(request: FeatureRequest): ActionResult {
  return request.method === 'DELETE' ? json({ error: 'NotFound' }, new Map(), 404) : { ...toList(request), status: 404 }
}

/** Finds the passkey that the path names, and passes it on. One of another user does not exist. */
async function withPasskey(
  request: FeatureRequest,
  setup: PasskeySetup,
  work: (own: OwnPasskey) => Promise<ActionResult>
): Promise<ActionResult> {
  const { id = '' } = request.params
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const factor = /^[\w-]{43}$/.test(id) ? await setup.context.factors.get(passkeyKey(id)) : null
  if (factor?.userId !== found.user.id) return reportMissing(request)
  return found.isFresh ? work({ ...found, passkey: toPasskey(factor) }) : askToAuthenticate(request, `/passkeys/${id}`)
}

function show({ passkey }: OwnPasskey, request: FeatureRequest, problem: TextKey | null = null): Promise<ActionResult> {
  const list = `${request.basePath}/passkeys`
  const own = `${list}/${passkey.id}`
  const props: PasskeyProps = {
    passkey: toListed(passkey, request),
    renameAction: `${own}/rename`,
    removeAction: `${own}/remove`,
    listUrl: list,
    problem
  }
  return request.screen('passkey', props, { status: problem === null ? 200 : 400 })
}

/** The page of a passkey. */
export function showOne(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  return withPasskey(request, setup, (own) => show(own, request))
}

/** Renames a passkey. */
export function rename(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  return withPasskey(request, setup, async (own) => {
    const name = normalizeName(getText(request.body, 'name'))
    if (name === null) return show(own, request, 'nameMissing')
    const { source } = own.passkey
    if (source.kind !== 'factor') return toList(request)
    const { factor } = source
    const isWritten = await setup.context.commit([
      { method: 'updateFactor', args: [{ ...factor, name }, factor.version] },
      { method: 'addEvents', args: [[createPasskeyEvent('renamed', own, request, setup)]] }
    ])
    if (!isWritten) return show(own, request, 'conflict')
    return toList(request)
  })
}

/** Removes a passkey, unless it is the last way to sign in, and ends the other sessions: the device may be in other hands. */
export function remove(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  return withPasskey(request, setup, async (own) => {
    const { context } = setup
    const { passkey, user } = own
    const missing = await readMissingLevel(request, user.id, context)
    if (missing.length > 0) return askToAuthenticate(request, `/passkeys/${passkey.id}`, { amr: missing })
    if (passkey.source.kind !== 'factor') return toList(request)
    const outcome = await request.changeAccess(async () => {
      if ((await readMissingLevel(request, user.id, context)).length > 0) return 'gone'
      if ((await context.factors.get(passkeyKey(passkey.id)))?.userId !== user.id) return 'gone'
      if ((await context.countWaysIn(user.id)) < 2) return 'lastWayIn'
      return {
        ends: 'others',
        writes: [
          { method: 'deleteFactor', args: [passkeyKey(passkey.id)], isRequired: true },
          { method: 'addEvents', args: [[createPasskeyEvent('removed', own, request, setup)]] }
        ]
      }
    })
    if (outcome === 'lastWayIn') return show(own, request, 'lastWayIn')
    if (outcome === 'changed') notifyOfChange('removed', own, request, setup)
    return toList(request)
  })
}
