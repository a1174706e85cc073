import { type ActionResult, type FeatureRequest, getText } from '@postern/core/feature'
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
import { readUndo, type StoredUndo, wasUndone } from './undo-ticket.ts'

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
  const signInUrl = `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl: own })}`
  const isProven = proof === 'proven'
  const isFromBefore = proof === 'before'
  const mustSignInAgain = isFromBefore || proof === 'stale'
  const { accounts, factors } = undo.proofs
  const hasPasswords = getOldPasswords(undo, context).length > 0
  const props: UndoEmailProps = {
    // Not every provider states when the user has authenticated: the user signs in as after the end of the session.
    ...getFrame(request, context, { problem: problem ?? null, verifyUrl: mustSignInAgain ? signInUrl : null }),
    email: undo.from,
    changedAt: new Date(undo.changedAt).toISOString(),
    action: `${basePath}${undoPath}`,
    token,
    isProven,
    isFromBefore,
    asksPassword: !isProven && hasPasswords,
    hasPasswords,
    signInUrl: accounts.length + factors.length > 0 ? signInUrl : null
  }
  return request.screen('email-undo', props, { status })
}

/** Says that a change was undone already, or that the link is of no use. */
async function showEnded(request: FeatureRequest, token: string, deps: SectionDeps): Promise<ActionResult> {
  return showLink(request, (await wasUndone(token, deps.context)) ? 'undone' : 'gone', deps)
}

/** Shows what the link undoes. It changes nothing, as mail scanners open links. */
export async function showUndo(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const token = getText(request.query, 'token') ?? ''
  const undo = await readUndo(token, deps.context)
  if (!undo) return showEnded(request, token, deps)
  return show(request, undo, { token, proof: await readSessionProof(request, undo, deps.context) }, deps)
}

/** Undoes the change for a user who has the link, and what they signed in with before. Nobody is signed in by it. */
export async function undoChange(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const token = getText(request.body, 'token') ?? ''
  const undo = await readUndo(token, context)
  if (!undo) return showEnded(request, token, deps)
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
  if (outcome === 'gone') return showEnded(request, token, deps)
  if (outcome === 'taken') return showLink(request, outcome, deps)
  const time = new Date(context.now())
  const addresses = new Set([undo.from, undo.to, ...(outcome.email ? [outcome.email] : [])])
  const facts = { time, user: outcome, request }
  for (const email of addresses) notifyUser('email-undone', { email, emailVerified: time }, facts, context)
  return showLink(request, 'undone', deps)
}
