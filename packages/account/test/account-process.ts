import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { serveWithKills } from './killed-process.ts'

await serveWithKills([password(), passkey()])
