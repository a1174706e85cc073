import type { Send } from './client.ts'

/**
 * Sets a key that must not be there yet. ioredis repeats a command whose response was lost, so an existing value may be from this call:
 * each call needs a value of its own.
 *
 * @param ends - Milliseconds since 1970.
 * @returns Whether the key has the value.
 */
export async function setNew(send: Send, key: string, value: string, ends: number): Promise<boolean> {
  return (await send('SET', key, value, 'PXAT', ends, 'NX')) === 'OK' || (await send('GET', key)) === value
}
