import type { AdapterUser, EventRecord, FeatureRequest } from '@postern/core/feature'
import { notifyUser } from '../notify-user.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { Passkey } from './stored-passkey.ts'

/** What happened to a passkey that the user gets a mail about: its name, and the type of the event after `passkey-`. */
export type PasskeyChange = 'added' | 'removed' | 'copied'

interface ChangedPasskey {
  readonly passkey: Pick<Passkey, 'id' | 'name'>
  readonly user: AdapterUser
}

/** What happened to a passkey, as a record. Of one that was renamed, the owner of the account gets no mail. */
export const createPasskeyEvent = (
  change: PasskeyChange | 'renamed',
  { passkey, user }: ChangedPasskey,
  request: FeatureRequest,
  { context }: PasskeySetup
): EventRecord => context.createEvent(`passkey-${change}`, { userId: user.id, request, data: passkey.id })

/** Notifies the owner of the account. What has happened stays, whether or not the mail can be sent. */
export const notifyOfChange = (
  change: PasskeyChange,
  { passkey, user }: ChangedPasskey,
  request: FeatureRequest,
  { context }: PasskeySetup
): void => notifyUser(change, user, { user, request, path: '/passkeys', values: { passkey: passkey.name } }, context)

/** Records that the counter of a passkey went backwards, and tells the owner of the account, once a day. */
export async function reportCopy(changed: ChangedPasskey, request: FeatureRequest, setup: PasskeySetup): Promise<void> {
  await setup.context.events.add([createPasskeyEvent('copied', changed, request, setup)])
  const isFirst = await setup.context.limit('copied', changed.user.id, { points: 1, seconds: 86_400 }).then(
    () => true,
    () => false
  )
  if (isFirst) notifyOfChange('copied', changed, request, setup)
}
