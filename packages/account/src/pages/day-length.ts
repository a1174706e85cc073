/** Milliseconds of a day. */
export const dayLength: number = 24 * 60 * 60 * 1000
