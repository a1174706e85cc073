import type { AdapterUser, FeatureRequest } from '@postern/core/feature'
import type { PasskeyDeps } from './passkey-deps.ts'
import type { Passkey } from './stored-passkey.ts'

/** What happened to a passkey that the user gets a mail about: its name, and the type of the event after `passkey-`. */
export type PasskeyChange = 'added' | 'removed' | 'copied'

interface ChangedPasskey {
  readonly passkey: Pick<Passkey, 'id' | 'name'>
  readonly user: AdapterUser
}

async function mail(
  change: PasskeyChange,
  { passkey, user: { email, emailVerified } }: ChangedPasskey,
  request: FeatureRequest,
  { context }: PasskeyDeps
): Promise<void> {
  if (!context.canSendMail || !email || !emailVerified) return
  const time = new Date(context.now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/passkeys`
  const values = { url, time, client: request.client ?? '–', passkey: passkey.name }
  // What has happened stays, whether or not the mail can be sent.
  await context.sendMail(email, change, values, { request }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'unknown error'
    context.logger.warn('NOTICE_NOT_SENT', { ref: request.id, message })
  })
}

async function record(
  change: PasskeyChange | 'renamed',
  { passkey, user }: ChangedPasskey,
  request: FeatureRequest,
  { context: { events, createEvent } }: PasskeyDeps
): Promise<void> {
  await events.add([createEvent(`passkey-${change}`, { userId: user.id, request, data: passkey.id })])
}

/** Records that a passkey was added or removed, and tells the owner of the account. */
export async function reportChange(
  change: 'added' | 'removed',
  changed: ChangedPasskey,
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<void> {
  try {
    await record(change, changed, request, deps)
  } finally {
    await mail(change, changed, request, deps)
  }
}

/** Records that a passkey was renamed. It takes nothing from anybody, so the owner of the account gets no mail. */
export async function reportRename(changed: ChangedPasskey, request: FeatureRequest, deps: PasskeyDeps): Promise<void> {
  await record('renamed', changed, request, deps)
}

/** Records that the counter of a passkey went backwards, and tells the owner of the account, once a day. */
export async function reportCopy(changed: ChangedPasskey, request: FeatureRequest, deps: PasskeyDeps): Promise<void> {
  await record('copied', changed, request, deps)
  const isFirst = await deps.context.limit('copied', changed.user.id, { points: 1, seconds: 86_400 }).then(
    () => true,
    () => false
  )
  if (isFirst) await mail('copied', changed, request, deps)
}
