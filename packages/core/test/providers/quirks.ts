import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Quirk {
  readonly provider: string
  readonly quirk: string
  /** Where it is documented or reported, and when. */
  readonly source: string
  readonly date: string
}

/** A cloud of Microsoft. */
export interface Cloud {
  /** The configured issuer. */
  readonly configured: string
  /** The issuer in the metadata. */
  readonly document: string
  /** The issuer of the ID Token. */
  readonly token: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The host of Microsoft Graph that receives the token; `null` for none. */
  readonly graph: string | null
}

/** What providers do in another way than the specifications, by hook. */
export interface Quirks {
  readonly grantOver: readonly (Quirk & {
    readonly status: number
    readonly body: Readonly<Record<string, unknown>>
    readonly isOver: boolean
  })[]
  readonly canceled: readonly (Quirk & {
    readonly error: string
    readonly description: string | null
    readonly isCanceled: boolean
  })[]
  readonly endSession: readonly (Quirk & { readonly endpoint: string | null; readonly url: string })[]
  readonly regions: readonly (Quirk & {
    readonly value: string | null
    readonly requests: readonly string[]
    readonly account: string | null
  })[]
  readonly clouds: readonly (Quirk & Cloud)[]
}

const file = join(import.meta.dirname, '../../../test/fixtures/provider-quirks.json')

export const quirks: Quirks = JSON.parse(readFileSync(file, 'utf8'))
