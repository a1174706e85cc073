import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** @throws TypeError not the folder of a checkout that is built. */
export function getCheckout(path: string): string {
  const other = resolve(path)
  if (path !== '' && existsSync(join(other, 'packages/fastify/dist/bundle'))) return other
  throw new TypeError(`expected the folder of a checkout that is built, got ${path || 'nothing'}`)
}
