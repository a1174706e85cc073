import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until the response is yes. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(5)
}
