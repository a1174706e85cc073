import type { AdapterUser, FeatureRequest } from '@postern/core/feature'
import type { PasskeyDeps } from './passkey-deps.ts'
import type { Passkey } from './stored-passkey.ts'

/** What happened to a passkey that the user gets a mail about: its name, and the type of the event after `passkey-`. */
export type PasskeyChange = 'added' | 'removed' | 'copied'

interface ChangedPasskey {
  readonly passkey: Pick<Passkey, 'id' | 'name'>
  readonly user: AdapterUser
}

/** What has happened stays, whether or not the mail can be sent. */
function mail(
  change: PasskeyChange,
  { passkey, user }: ChangedPasskey,
  request: FeatureRequest,
  { context }: PasskeyDeps
): void {
  const { email, emailVerified } = user
  if (!context.canSendMail || !email || !emailVerified) return
  const time = new Date(context.now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/passkeys`
  context.notify(email, change, { url, time, client: request.client ?? '–', passkey: passkey.name }, { user, request })
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
    mail(change, changed, request, deps)
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
  if (isFirst) mail('copied', changed, request, deps)
}
