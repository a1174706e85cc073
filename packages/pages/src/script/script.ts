import { createHash } from 'node:crypto'
import type { Asset, Page } from '@postern/core'
import { source } from './source.ts'

/** A script, and a file name derived from its content. */
export interface Script {
  readonly name: string
  readonly asset: Asset
}

const hash = createHash('sha256').update(source).digest('hex').slice(0, 16)

export const script: Script = {
  name: `${hash}.js`,
  asset: { contentType: 'text/javascript; charset=utf-8', body: source }
}

/** The screens with a form. */
export const scripted: ReadonlySet<Page['name']> = new Set<Page['name']>([
  'signin',
  'signout',
  'verify-request',
  'confirm',
  'start-again',
  'other-user',
  'confirm-link'
])
