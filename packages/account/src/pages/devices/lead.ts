import type { DevicesProps } from './props.ts'

/** @returns The key of the text that says what the user can do with the devices: a user with one device can end no other. */
export function getLead({ devices }: Pick<DevicesProps, 'devices'>): 'devicesText' | 'onlyDevice' {
  return devices.some(({ isCurrent }) => !isCurrent) ? 'devicesText' : 'onlyDevice'
}
