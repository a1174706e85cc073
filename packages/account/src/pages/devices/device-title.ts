import type { Texts } from '../texts.ts'
import type { Device } from './props.ts'

/** What a device is called in the list. */
export function getDeviceTitle({ name, isImpersonation }: Device, { impersonated, unknownDevice }: Texts): string {
  return isImpersonation ? impersonated : (name ?? unknownDevice)
}
