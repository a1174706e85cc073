import { type ActionResult, type FeatureRequest, getText, json, redirect } from '@postern/core/feature'
import { askToAuthenticate, readUser, type SignedInUser } from '../signed-in-user.ts'
import { readMissingLevel } from '../two-factors.ts'
import { findUndoGuard } from '../undo-guard.ts'
import { toListed } from './list.ts'
import { reportChange, reportRename } from './notices.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import { normalizeName } from './passkey-name.ts'
import { showPasskey, showUnavailable } from './screens.ts'
import { isUnconfirmedPasskey, type Passkey, passkeyKey, toPasskey } from './stored-passkey.ts'
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
  deps: PasskeyDeps,
  work: (own: OwnPasskey) => Promise<ActionResult>
): Promise<ActionResult> {
  const { id = '' } = request.params
  const found = await readUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  const factor = /^[\w-]{43}$/.test(id) ? await deps.context.factors.get(passkeyKey(id)) : null
  if (factor?.userId !== found.user.id || isUnconfirmedPasskey(factor)) return reportMissing(request)
  return found.isFresh ? work({ ...found, passkey: toPasskey(factor) }) : askToAuthenticate(request, `/passkeys/${id}`)
}

function show({ passkey }: OwnPasskey, request: FeatureRequest, problem: TextKey | null = null): Promise<ActionResult> {
  const list = `${request.basePath}/passkeys`
  const own = `${list}/${passkey.id}`
  return showPasskey(request, {
    passkey: toListed(passkey, request),
    renameAction: `${own}/rename`,
    removeAction: `${own}/remove`,
    listUrl: list,
    problem
  })
}

/** The page of a passkey. */
export function showOne(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  return withPasskey(request, deps, (own) => show(own, request))
}

/** Renames a passkey. */
export function rename(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  return withPasskey(request, deps, async (own) => {
    const name = normalizeName(getText(request.body, 'name'))
    if (name === null) return show(own, request, 'nameMissing')
    const { source } = own.passkey
    if (source.kind !== 'factor') return toList(request)
    const { factor } = source
    const isWritten = await deps.context.factors.update({ ...factor, name }, factor.version)
    if (!isWritten) return show(own, request, 'conflict')
    await reportRename(own, request, deps)
    return toList(request)
  })
}

/** Removes a passkey, unless it is the last way to sign in, and ends the other sessions: the device may be in other hands. */
export function remove(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  return withPasskey(request, deps, async (own) => {
    const { factors, removeWayIn } = deps.context
    const { passkey, user } = own
    const missing = await readMissingLevel(request, user.id, deps.context)
    if (missing.length > 0) return askToAuthenticate(request, `/passkeys/${passkey.id}`, { amr: missing })
    const { source } = passkey
    if (source.kind !== 'factor') return toList(request)
    const removeUnlessLast = (): Promise<boolean> =>
      removeWayIn(user.id, {
        // Sessions end before, so that a failure leaves the passkey; and after, for sign-ins that have verified it.
        remove: async () => {
          await request.endOtherSessions()
          return factors.delete(passkeyKey(passkey.id))
        },
        restore: () => factors.create(source.factor)
      })
    const guard = findUndoGuard(deps.context)
    const isRemoved = await (guard?.remove(user.id, passkeyKey(passkey.id), removeUnlessLast) ?? removeUnlessLast())
    if (isRemoved === 'needed') return show(own, request, 'undoNeeded')
    if (isRemoved === 'busy') return show(own, request, 'conflict')
    if (!isRemoved) return show(own, request, 'lastWayIn')
    await reportChange('removed', { passkey, user }, request, deps)
    await request.endOtherSessions()
    return toList(request)
  })
}
