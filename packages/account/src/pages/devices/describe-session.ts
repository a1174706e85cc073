import type { Texts } from '../texts.ts'
import type { DevicesProps, ShownSession } from './props.ts'

/** What a session is called in the list. */
export function getSessionTitle(
  { name, isImpersonation }: ShownSession,
  { impersonated, unknownDevice }: Texts
): string {
  return isImpersonation ? impersonated : (name ?? unknownDevice)
}

/** @returns The key of the text that says what the user can do with the sessions: a user with one session can end no other. */
export function getLead({ devices }: Pick<DevicesProps, 'devices'>): 'devicesText' | 'onlyDevice' {
  return devices.some(({ isCurrent }) => !isCurrent) ? 'devicesText' : 'onlyDevice'
}
