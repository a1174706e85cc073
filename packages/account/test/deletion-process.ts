import { accountPages } from '@postern/account/pages'
import { serveWithKills } from './killed-process.ts'

await serveWithKills([accountPages({ deletionGracePeriod: 7 })])
