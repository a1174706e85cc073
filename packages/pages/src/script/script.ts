import { createHash } from 'node:crypto'
import type { Asset, PageName } from '@postern/core'
import { source } from './source.ts'

/** A script and the file name that is made of its content. */
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
export const scripted: ReadonlySet<PageName> = new Set<PageName>([
  'signin',
  'signout',
  'verify-request',
  'confirm',
  'start-again',
  'other-user'
])
