import type { AdapterUser, EventRecord, FeatureRequest } from '@postern/core/feature'
import type { PasskeySetup } from './passkey-setup.ts'
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
  { context }: PasskeySetup
): void {
  const { email, emailVerified } = user
  if (!context.canSendMail || !email || !emailVerified) return
  const time = new Date(context.now())
  const url = `${request.origin}${request.basePath}/passkeys`
  context.notify(email, change, { url, time, client: request.client ?? '–', passkey: passkey.name }, { user, request })
}

/** What happened to a passkey, as a record. Of one that was renamed, the owner of the account gets no mail. */
export const createPasskeyEvent = (
  change: PasskeyChange | 'renamed',
  { passkey, user }: ChangedPasskey,
  request: FeatureRequest,
  { context }: PasskeySetup
): EventRecord => context.createEvent(`passkey-${change}`, { userId: user.id, request, data: passkey.id })

/** Notifies the owner of the account that a passkey was added or removed. */
export const notifyOfChange = (
  change: 'added' | 'removed',
  changed: ChangedPasskey,
  request: FeatureRequest,
  setup: PasskeySetup
): void => mail(change, changed, request, setup)

/** Records that the counter of a passkey went backwards, and tells the owner of the account, once a day. */
export async function reportCopy(changed: ChangedPasskey, request: FeatureRequest, setup: PasskeySetup): Promise<void> {
  await setup.context.events.add([createPasskeyEvent('copied', changed, request, setup)])
  const isFirst = await setup.context.limit('copied', changed.user.id, { points: 1, seconds: 86_400 }).then(
    () => true,
    () => false
  )
  if (isFirst) mail('copied', changed, request, setup)
}
