import { type ActionResult, type FeatureRequest, getText } from '@postern/core/feature'
import { getVerifyUrl } from '../../signed-in-user.ts'
import { getFrame } from '../frame.ts'
import { notifyUser } from '../notify-user.ts'
import type { SectionDeps } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { withLocks } from './locks.ts'
import type { UndoEmailProps } from './props.ts'
import { toComparable } from './reserved-email.ts'
import { restoreEmail } from './restore.ts'
import { showLink } from './screens.ts'
import { path } from './start.ts'
import { checkOldPassword, getOldPasswords, readSessionProof, type SessionProof } from './undo-proof.ts'
import { readUndo, type StoredUndo } from './undo-ticket.ts'

export const undoPath: string = `${path}/undo`

interface ShownUndo {
  readonly token: string
  readonly proof: SessionProof
  readonly problem?: TextKey
  readonly status?: number
}

function show(
  request: FeatureRequest,
  undo: StoredUndo,
  { token, proof, problem, status = 200 }: ShownUndo,
  { context }: SectionDeps
): Promise<ActionResult> {
  const { origin, basePath } = request
  const own = `${origin}${basePath}${undoPath}?${new URLSearchParams({ token })}`
  const isProven = proof === 'proven'
  const props: UndoEmailProps = {
    ...getFrame(request, context, {
      problem: problem ?? null,
      verifyUrl: proof === 'stale' ? getVerifyUrl(request, own) : null
    }),
    email: undo.from,
    changedAt: new Date(undo.changedAt).toISOString(),
    action: `${basePath}${undoPath}`,
    token,
    isProven,
    asksPassword: !isProven && getOldPasswords(undo, context).length > 0,
    signInUrl: `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl: own })}`
  }
  return request.screen('email-undo', props, { status })
}

/** Shows what the link undoes. It changes nothing, as mail scanners open links. */
export async function showUndo(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const token = getText(request.query, 'token') ?? ''
  const undo = await readUndo(token, deps.context)
  if (!undo) return showLink(request, 'gone', deps)
  return show(request, undo, { token, proof: await readSessionProof(request, undo, deps.context) }, deps)
}

/** Undoes the change for a user who has the link, and what they signed in with before. Nobody is signed in by it. */
export async function undoChange(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const token = getText(request.body, 'token') ?? ''
  const undo = await readUndo(token, context)
  if (!undo) return showLink(request, 'gone', deps)
  const proof = await readSessionProof(request, undo, context)
  const checked = proof === 'proven' ? undo : await checkOldPassword(request, undo, context)
  if (typeof checked === 'string') {
    const problem = checked === 'gone' ? 'emailUndoTries' : 'emailUndoUnproven'
    return show(request, undo, { token, proof, problem, status: 403 }, deps)
  }
  const outcome = await withLocks(
    { userId: undo.userId, email: toComparable(undo.from) },
    (release) => restoreEmail(checked, request, release, context),
    context
  )
  if (outcome === 'busy') return show(request, undo, { token, proof, problem: 'emailBusy', status: 409 }, deps)
  if (outcome === 'gone' || outcome === 'taken') return showLink(request, outcome, deps)
  const time = new Date(context.now())
  const addresses = new Set([undo.from, undo.to, ...(outcome.email ? [outcome.email] : [])])
  const facts = { time, user: outcome, request }
  for (const email of addresses) notifyUser('email-undone', { email, emailVerified: time }, facts, context)
  return showLink(request, 'undone', deps)
}
