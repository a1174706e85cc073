import type { Texts } from '../texts.ts'
import type { Device, DevicesProps } from './props.ts'

/** What a device is called in the list. */
export function getDeviceTitle({ name, isImpersonation }: Device, { impersonated, unknownDevice }: Texts): string {
  return isImpersonation ? impersonated : (name ?? unknownDevice)
}

/** @returns The key of the text that says what the user can do with the devices: a user with one device can end no other. */
export function getLead({ devices }: Pick<DevicesProps, 'devices'>): 'devicesText' | 'onlyDevice' {
  return devices.some(({ isCurrent }) => !isCurrent) ? 'devicesText' : 'onlyDevice'
}
