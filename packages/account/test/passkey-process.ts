import { passkey } from '@postern/account/passkey'
import { serveWithKills } from './killed-process.ts'

serveWithKills([passkey({ signUp: true })])
