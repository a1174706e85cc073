import { createHash } from 'node:crypto'
import type { Asset, Page } from '@postern/core'
import { showPasswords } from './show-passwords.ts'
import { source } from './source.ts'

/** A script, and a file name derived from its content. */
export interface Script {
  readonly name: string
  readonly asset: Asset
}

function createScript(body: string): Script {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { name: `${hash}.js`, asset: { contentType: 'text/javascript; charset=utf-8', body } }
}

export const script: Script = createScript(source)

/** The script of the screens that have a password. */
export const passwordScript: Script = createScript(showPasswords)

/** The screens that may have a script. */
export const scripted: ReadonlySet<Page['name']> = new Set<Page['name']>([
  'signin',
  'signout',
  'verify-request',
  'confirm',
  'start-again',
  'other-user',
  'confirm-link',
  'feature'
])
