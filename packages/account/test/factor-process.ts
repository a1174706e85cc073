import { secondFactor } from '@postern/account/second-factor'
import { setCheapHashes } from './cheap-hashes.ts'
import { serveWithKills } from './killed-process.ts'

setCheapHashes()
await serveWithKills([secondFactor({ required: ({ email }) => email?.startsWith('required') ?? false })])
