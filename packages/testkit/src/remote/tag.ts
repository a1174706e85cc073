/** Marks the replacement of a value that cannot be cloned. */
export const tagKey = '@@kind'

export interface Tagged {
  readonly [tagKey]: string
  readonly content: unknown
}

export const isTagged = (value: object): value is Tagged => tagKey in value
