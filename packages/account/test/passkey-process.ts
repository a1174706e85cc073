import { passkey } from '@postern/account/passkey'
import { serveWithKills } from './killed-process.ts'

await serveWithKills([passkey({ signUp: true })])
