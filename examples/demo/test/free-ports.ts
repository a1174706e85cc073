import { freePort } from '@postern/testkit'

/** Ports that no one listens on, for settings that are needed before anything listens. */
export async function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort))
}
