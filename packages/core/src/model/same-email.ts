/** Converts ASCII letters only: in lower case, the Kelvin sign is a `k`, but an address with it belongs to another mailbox. */
const toLowerCase = (address: string): string => address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether both are one email address: stored addresses of other libraries may have capital letters. */
export function isSameEmailAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return Boolean(one) && Boolean(other) && toLowerCase(one ?? '') === toLowerCase(other ?? '')
}
